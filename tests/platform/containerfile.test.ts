import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { signalbox } from '../spawn.ts';
import { start } from '../start.ts';

// The findings of a linter for such files, for machines without a builder; the workflow builds the image where there is
// one.
const root = join(import.meta.dirname, '../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

type Instruction = { word: string; rest: string };

const instructions: readonly Instruction[] = textOf('Containerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => ({ word: line.split(' ', 1)[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }));
const lastStage = instructions.slice(instructions.findLastIndex(({ word }) => word === 'FROM'));
const restOf = (word: string) => lastStage.filter((each) => each.word === word).map(({ rest }) => rest);

test('the Containerfile builds in one stage and runs in another, from images of a fixed version', () => {
  const known = 'FROM WORKDIR COPY RUN ENV USER VOLUME EXPOSE HEALTHCHECK ENTRYPOINT CMD'.split(' ');
  expect(instructions.filter(({ word }) => !known.includes(word))).toEqual([]);
  const stages = instructions.filter(({ word }) => word === 'FROM').map(({ rest }) => rest);
  expect(stages).toHaveLength(2);
  for (const stage of stages) expect(stage).toMatch(/^docker\.io\/library\/node:\d+\.\d+-slim(?: AS \w+)?$/);
  const built = stages[0]?.split(' AS ')[1];
  expect(restOf('RUN')[0]).toContain(`--mount=from=${built},`);
});

test('what its commands need of the checkout is there, and what they do not is left out', () => {
  const { scripts, workspaces, version } = JSON.parse(textOf('package.json'));
  expect(existsSync(join(root, 'package-lock.json'))).toBe(true);
  const run = instructions
    .filter(({ word }) => word === 'RUN')
    .map(({ rest }) => rest)
    .join('\n');
  for (const [, script = ''] of run.matchAll(/npm run (\S+)/g)) expect(scripts).toHaveProperty(script);
  // Every package of the lock file must be listed, or npm ci refuses.
  const copied = instructions.filter(({ word }) => word === 'COPY').map(({ rest }) => rest);
  for (const workspace of workspaces) expect(copied).toContain(`${workspace}/package.json ${workspace}/`);
  // npm does not create the folder for packed files.
  expect(run).toMatch(/mkdir (\/\w+) && npm pack --workspace signalbox --pack-destination \1$/m);
  expect(workspaces).toContain('packages/service');
  expect(JSON.parse(textOf('packages/service/package.json'))).toMatchObject({ name: 'signalbox', version });
  expect(textOf('.containerignore').split('\n')).toEqual(expect.arrayContaining(['.git', '**/node_modules']));
  // Docker reads only this file.
  expect(textOf('.dockerignore')).toBe(textOf('.containerignore'));
});

test('it runs as an ordinary user, keeps data in a volume of that user, and exposes the ports it listens on', () => {
  const [env = ''] = restOf('ENV');
  const settings = Object.fromEntries(env.split(' ').map((each) => each.split('=') as [string, string]));
  expect(settings).toMatchObject({ HOST: '0.0.0.0', Service__DataPath: restOf('VOLUME')[0] });
  expect(restOf('EXPOSE')[0]?.split(' ')).toEqual(settings.PORT?.split(','));
  expect(restOf('USER')).toEqual(['node']);
  // Only what runs stays in the image; nothing of the installation is left.
  expect(restOf('RUN').at(-1)).toContain('rm -rf /root/.npm');
  expect(restOf('RUN').at(-1)).toContain(`chown node:node ${settings.Service__DataPath}`);
  expect(JSON.parse(restOf('ENTRYPOINT')[0] ?? '')).toEqual(['signalbox']);
  expect(JSON.parse(restOf('CMD')[0] ?? '')).toEqual(['start']);
});

test('its health check passes where the service is ready, and fails where it is not or nothing answers', async () => {
  const [check = ''] = restOf('HEALTHCHECK');
  const [program, ...args] = JSON.parse(check.slice(check.indexOf('CMD ') + 4)) as string[];
  expect(program).toBe('signalbox');
  await using service = await start({ settings: { MinFreeMb: '1' } });
  const codeAt = async (port: number) => {
    await using typed = signalbox(args, { PORT: String(port), Service__DataPath: service.dataPath });
    return await typed.ended;
  };
  expect(await codeAt(service.running.coordination.port)).toBe(0);
  expect(await codeAt(9)).toBe(3);
});

test('the workflow builds the image and waits until it is healthy', () => {
  const { container } = parse(textOf('.github/workflows/test.yml')).jobs;
  const steps = (container.steps as { run?: string }[]).map(({ run = '' }) => run).join('\n');
  expect(steps).toContain('docker build --file Containerfile');
  expect(steps).toContain('.State.Health.Status');
});
