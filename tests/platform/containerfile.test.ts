import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { start } from '../start.ts';

// What a linter of such files would say, for machines without a builder; the workflow builds it where there is one.
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
  for (const stage of stages) expect(stage).toMatch(/^docker\.io\/library\/node:\d+-slim(?: AS \w+)?$/);
  const built = stages[0]?.split(' AS ')[1];
  expect(restOf('RUN')[0]).toContain(`--mount=from=${built},`);
});

test('what its commands need of the checkout is there, and what they do not is left out', () => {
  const { scripts, workspaces, version } = JSON.parse(textOf('package.json'));
  expect(existsSync(join(root, 'package-lock.json'))).toBe(true);
  const [run = ''] = instructions.filter(({ word }) => word === 'RUN').map(({ rest }) => rest);
  for (const [, script = ''] of run.matchAll(/npm run (\S+)/g)) expect(scripts).toHaveProperty(script);
  // npm makes no folder for what it packs.
  expect(run).toMatch(/mkdir (\/\w+) && npm pack --workspace signalbox --pack-destination \1$/);
  expect(workspaces).toContain('packages/service');
  expect(JSON.parse(textOf('packages/service/package.json'))).toMatchObject({ name: 'signalbox', version });
  expect(textOf('.containerignore').split('\n')).toEqual(expect.arrayContaining(['.git', '**/node_modules']));
  // Docker reads no other.
  expect(textOf('.dockerignore')).toBe(textOf('.containerignore'));
});

test('it runs as an ordinary user, keeps data in a volume of that user, and exposes the ports it listens on', () => {
  const [env = ''] = restOf('ENV');
  const settings = Object.fromEntries(env.split(' ').map((each) => each.split('=') as [string, string]));
  expect(settings).toMatchObject({ HOST: '0.0.0.0', Service__DataPath: restOf('VOLUME')[0] });
  expect(restOf('EXPOSE')[0]?.split(' ')).toEqual(settings.PORT?.split(','));
  expect(restOf('USER')).toEqual(['node']);
  // Nothing of the installation is left in the image but what runs.
  expect(restOf('RUN').at(-1)).toContain('rm -rf /root/.npm');
  expect(restOf('RUN').at(-1)).toContain(`chown node:node ${settings.Service__DataPath}`);
  expect(JSON.parse(restOf('ENTRYPOINT')[0] ?? '')).toEqual(['signalbox']);
  expect(JSON.parse(restOf('CMD')[0] ?? '')).toEqual(['start']);
});

test('its health check passes where the service answers, and fails where nothing does', async () => {
  const [check = ''] = restOf('HEALTHCHECK');
  const [program = '', ...args] = JSON.parse(check.slice(check.indexOf('CMD ') + 4)) as string[];
  expect(program).toBe('node');
  const codeAt = (url: string) => {
    const child = spawn(
      process.execPath,
      args.map((each) => each.replace('http://127.0.0.1:5526', url)),
    );
    return new Promise((resolve) => child.once('close', resolve));
  };
  await using service = await start();
  expect(await codeAt(service.url)).toBe(0);
  expect(await codeAt('http://127.0.0.1:9')).toBe(1);
});

test('the workflow builds the image and waits until it is healthy', () => {
  const { container } = parse(textOf('.github/workflows/test.yml')).jobs;
  const steps = (container.steps as { run?: string }[]).map(({ run = '' }) => run).join('\n');
  expect(steps).toContain('docker build --file Containerfile');
  expect(steps).toContain('.State.Health.Status');
});
