import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compareProject, type Difference } from '../tests/publishers/projects/compare.ts';

// Runs real projects with our publishers and holds every count, name, place and verdict against the runner's own report.
// `npm run test:projects -- FOLDER [name...]`: a folder of checkouts, each installed. docs/guides/real-projects.md says how.

const [folder = '', ...names] = process.argv.slice(2);
if (folder === '' || !existsSync(folder)) {
  process.stderr.write(
    'Name a folder of checkouts: npm run test:projects -- ../checkouts. See docs/guides/real-projects.md.\n',
  );
  process.exit(2);
}

const all = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const chosen = all.map(({ name }) => name).filter((name) => names.length === 0 || names.includes(name));
let worst = 0;
for (const name of chosen) {
  const result = await compareProject(resolve(join(folder, name)));
  if (result === null) {
    process.stdout.write(`${name.padEnd(16)} left out: no project.json and no runner that is known\n`);
    continue;
  }
  const { runner, own, told, differences } = result;
  const figures = (counts: typeof own) => `${counts.passed}/${counts.failed}/${counts.skipped}`;
  process.stdout.write(
    `${name.padEnd(16)} ${runner.padEnd(12)} own ${figures(own)}  told ${figures(told)}  ${differences.length} differences\n`,
  );
  for (const difference of differences.slice(0, 20)) process.stdout.write(`  ${sentence(difference)}\n`);
  if (differences.length > 0 || own.passed === 0) worst = 1;
}
process.exitCode = worst;

function sentence({ test, what, own, told }: Difference): string {
  return `${test}: ${what} is ${own} to the runner and ${told} to the console`;
}
