import { spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { start } from '../start.ts';
import { createProject } from './project.ts';
import { signalbox } from './signalbox.ts';

const suite = `import { test } from 'node:test'; test('waits', () => new Promise((resolve) => setTimeout(resolve, 2_500)));`;
const args = ['--test', '--test-reporter=signalbox-publisher/node-test', '--test-reporter-destination=stderr'];

async function committedProject() {
  const project = await createProject({ 'cart.test.js': suite }, []);
  await rm(join(project.folder, '.git'), { recursive: true });
  const git = (...words: string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd: project.folder })
      .stdout.toString()
      .trim();
  git('init', '-q', '-b', 'main');
  git('add', 'cart.test.js', 'package.json');
  git('commit', '-q', '-m', 'Begin');
  return Object.assign(project, { commit: git('rev-parse', 'HEAD') });
}

describe('a run has its commit', () => {
  test('and whether tracked files have changed since, from both a publisher and signalbox run', async () => {
    await using service = await start();
    await using project = await committedProject();
    const env = { SIGNALBOX_URL: service.consoleUrl, SIGNALBOX_PROBE_MS: '60000' };
    const newest = async () => {
      const [{ commit, dirty, branch }] = (await service.console('GET', '/api/runs')).body;
      return { commit, dirty, branch };
    };
    const clean = { commit: project.commit, dirty: false, branch: 'main' };
    await project.run(args, env);
    expect(await newest()).toEqual(clean);
    await signalbox(project.folder, ['run', '--', project.node, ...args], env);
    expect(await newest()).toEqual(clean);

    await writeFile(join(project.folder, 'cart.test.js'), `${suite}\n`);
    await project.run(args, env);
    expect(await newest()).toEqual({ ...clean, dirty: true });
    await signalbox(project.folder, ['run', '--', project.node, ...args], env);
    expect(await newest()).toEqual({ ...clean, dirty: true });
  });
});
