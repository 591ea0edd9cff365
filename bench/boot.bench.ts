import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signalbox } from '../tests/spawn.ts';
import { longRun } from './long-run.ts';

// 2,000 archives of half a megabyte: how soon the console listens, how soon its list is complete and how soon each run
// in it is counted, first without a database, then with the one that the first start left. Uses the published
// program; from its sources, compiling delays the start by 0.3 s.
const archives = 2000;
const root = join(import.meta.dirname, '..');
spawnSync(process.execPath, [join(root, 'scripts', 'build.ts')], { stdio: 'inherit' });
const program = join(root, 'packages', 'service', 'dist', 'cli', 'bin.js');
const home = mkdtempSync(join(tmpdir(), 'signalbox-boot-'));
const folder = join(home, '.signalbox', 'runs');
mkdirSync(folder, { recursive: true });
const lines = [...longRun(450, 'THE-RUN')].map((event) => `${JSON.stringify(event)}\n`).join('');
let bytes = 0;
for (let number = 0; number < archives; number += 1) {
  const text = lines.replaceAll('THE-RUN', `run-${number}`).replace('"suite":"Long"', `"suite":"Long ${number % 100}"`);
  writeFileSync(join(folder, `run-${number}.ndjson`), text);
  bytes += text.length;
}
process.stdout.write(`${archives} archives, ${Math.round(bytes / 1024 / 1024)} MB\n`);

for (const what of ['without a database', 'with one']) {
  const start = performance.now();
  const settings = { PORT: '0', Service__RetentionRuns: '0', Service__RetentionDays: '0' };
  const service = signalbox(['console'], settings, home, program);
  const [, url = ''] = await service.says(/run console\s+(http\S+)/);
  const listening = performance.now() - start;
  const list = async () => (await (await fetch(`${url}/api/runs`)).json()) as Array<{ counted: boolean }>;
  const { length } = await list();
  const listed = performance.now() - start;
  while ((await list()).some(({ counted }) => !counted)) await new Promise((resolve) => setTimeout(resolve, 500));
  const counted = performance.now() - start;
  process.stdout.write(
    `${what}: listening after ${Math.round(listening)} ms, ${length} runs listed after ${Math.round(listed)} ms, counted after ${Math.round(counted)} ms\n`,
  );
  service.child.kill('SIGTERM');
  await service.ended;
}
rmSync(home, { recursive: true, force: true });
