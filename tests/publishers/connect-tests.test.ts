import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { diffOf } from '../../packages/service/src/cli/connect/change.ts';
import { applyChanges, readText } from '../../packages/service/src/cli/connect/project-files.ts';
import { planTestChanges } from '../../packages/service/src/cli/connect-tests/plan-test-changes.ts';
import { readPublisher } from '../../packages/service/src/cli/connect-tests/publisher-file.ts';
import { isGate } from '../rounds.ts';
import { preparedProjects } from './connect-tests-projects.ts';
import { buildOneFile } from './one-file.ts';
import { createProject, type Project } from './project.ts';
import { publishedBy } from './recording-console.ts';
import { signalbox } from './signalbox.ts';

const own = ['.signalbox/connected.json', '.signalbox/publisher.d.mts', '.signalbox/publisher.mjs'];

/** Every file of the project with its text, except installed files and leftovers of runs. */
function textsOf({ folder }: Project): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((file) => !/^(node_modules|test-results|results\.xml)/.test(file));
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

const planIn = ({ folder }: Project, remove = false) =>
  planTestChanges((path) => readText(folder, path), readPublisher(), remove);

/** The gate runs one project of each framework; the others differ only in their configuration. */
const firstOfEach = new Set(
  new Map(
    Object.keys(preparedProjects)
      .reverse()
      .map((name) => [name.split(/,| in | with /)[0], name]),
  ).values(),
);

async function expectPublished(project: Project, args: readonly string[]): Promise<void> {
  const published = await publishedBy(async (url) => {
    const { code, stdout, stderr } = await project.run(args, { SIGNALBOX_URL: url });
    const said = `${stdout}${stderr}`;
    expect({ code, said }).toMatchObject({ code: 0, said: expect.not.stringContaining('rror') });
  });
  expect(published('scenario_finished').map(({ uid, outcome }) => [uid.split(/[/>]/).at(-1)?.trim(), outcome])).toEqual(
    [['adds', 'CleanPass']],
  );
  expect(published('run_finished')).toMatchObject([{ exitCode: 0 }]);
}

beforeAll(buildOneFile);

describe.concurrent('signalbox connect --tests', () => {
  test.for(Object.entries(preparedProjects))(
    'publishes the tests of a project with %s, and --remove gives every file back to the byte',
    async ([name, { files, packages, args, edited }]) => {
      await using project = await createProject(files, packages);
      const before = textsOf(project);

      const { changes } = planIn(project);
      applyChanges(project.folder, changes);
      const [file, line] = edited;
      expect(changes.map(({ path }) => path).sort()).toEqual([file, ...own].sort());
      const after = textsOf(project);
      expect(after[file]).toMatch(line);
      expect(after).toEqual({ ...before, ...Object.fromEntries(changes.map((each) => [each.path, each.after])) });
      expect(planIn(project).changes).toEqual([]);

      if (!isGate || firstOfEach.has(name)) await expectPublished(project, args);

      applyChanges(project.folder, planIn(project, true).changes);
      expect(textsOf(project)).toEqual(before);
    },
  );
});

describe('signalbox connect --tests', () => {
  test('shows the diff and the next step, and writes nothing without --yes', async () => {
    const [, { files, packages }] = Object.entries(preparedProjects)[0] as [string, (typeof preparedProjects)[string]];
    await using project = await createProject(files, packages);
    const before = textsOf(project);
    const shown = await signalbox(project.folder, ['connect', '--tests']);
    expect(shown).toMatchObject({ code: 1, stderr: '' });
    expect(textsOf(project)).toEqual(before);
    const written = await signalbox(project.folder, ['connect', '--tests', '--yes']);
    expect(written).toMatchObject({ code: 0, stderr: '' });
    const diff = planIn(project, true).changes.map(diffOf);
    expect(shown.stdout).toContain("  -     reporters: process.env.CI ? 'dot'");
    expect(written.stdout).toContain('Connected: Vitest (vitest.config.ts).');
    expect(diff).toHaveLength(4);
    expect(await signalbox(project.folder, ['connect', '--tests', '--remove', '--yes'])).toMatchObject({ code: 0 });
    expect(textsOf(project)).toEqual(before);
  });

  test('keeps other changes in the file, and explains what to do if its own line was changed', async () => {
    const config = "export default {\n  testDir: 'e2e',\n  reporter: 'dot',\n};\n";
    await using project = await createProject({ 'playwright.config.mjs': config }, []);
    applyChanges(project.folder, planIn(project).changes);
    const connected = await project.read('playwright.config.mjs');
    const write = (text: string) => writeFile(join(project.folder, 'playwright.config.mjs'), text);
    await write(connected.replace("'e2e'", "'browser-tests'"));
    const [change] = planIn(project, true).changes;
    expect(change?.after).toBe(config.replace("'e2e'", "'browser-tests'"));
    await write(connected.replace(']]', '] ]').replace("'e2e'", "'x'"));
    expect(() => planIn(project, true)).toThrow('by hand and run this again; nothing was written');
    await write(config);
    expect(
      planIn(project, true)
        .changes.map(({ path }) => path)
        .sort(),
    ).toEqual(own);
  });

  test('refuses configurations that it cannot extend, with the line to add by hand', async () => {
    await using project = await createProject(
      { 'playwright.config.mjs': "import { reporter } from './shared.mjs';\nexport default { reporter };\n" },
      [],
    );
    expect(() => planIn(project)).toThrow(`Add ['./.signalbox/publisher.mjs'] to it by hand; nothing was written.`);
    await writeFile(join(project.folder, 'playwright.config.mjs'), 'export default makeConfig;\n');
    expect(() => planIn(project)).toThrow('does not export an object that can be extended');
    const withEnum = "enum Kind { Dot = 'dot' }\nexport default { reporter: Kind.Dot };\n";
    await using typed = await createProject({ 'playwright.config.ts': withEnum }, []);
    expect(() => planIn(typed)).toThrow('publish without changing it: signalbox run -- <test command>');
  });

  test('leaves out a framework that is too old, and says what to do', async () => {
    const files = {
      'package.json': '{"devDependencies":{"@cucumber/cucumber":"^11.3.0"}}\n',
      'cucumber.json': '{"default":{"format":["progress"]}}\n',
    };
    await using alone = await createProject(files, []);
    expect(() => planIn(alone)).toThrow('Upgrade to Cucumber 12, or install signalbox-publisher and add its formatter');
    const both = '{"devDependencies":{"@cucumber/cucumber":"~11.3.0","mocha":"^11.0.0"}}\n';
    await using beside = await createProject({ ...files, 'package.json': both }, []);
    const { connected, notes } = planIn(beside);
    expect(connected).toEqual([{ name: 'Mocha', path: '.mocharc.json' }]);
    expect(notes).toEqual([
      expect.stringContaining('Cucumber before version 12 is skipped: it does not support plugins.'),
    ]);
  });

  test('lists the supported frameworks if it finds none', async () => {
    await using project = await createProject({}, []);
    const { code, stderr } = await signalbox(project.folder, ['connect', '--tests']);
    expect(code).toBe(1);
    expect(stderr).toContain('No test framework found');
    expect(stderr).toContain('signalbox run -- <test command>');
  });
});
