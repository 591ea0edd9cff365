import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';

// `npm run bench -- claims ready` runs those; without names, all of them, one after the other.
const folder = import.meta.dirname;
const benchmarks = globSync('*.bench.ts', { cwd: folder })
  .map((file) => file.replace('.bench.ts', ''))
  .sort();
const [first = '', ...rest] = process.argv.slice(2);
const asked = [first, ...rest].filter((name) => name !== '' && !name.startsWith('-'));
const options = process.argv.slice(2).filter((word) => word.startsWith('-'));

for (const name of asked) {
  if (benchmarks.includes(name)) continue;
  process.stderr.write(`There is no benchmark ${name}. There are: ${benchmarks.join(', ')}.\n`);
  process.exit(2);
}
for (const name of asked.length > 0 ? asked : benchmarks) {
  process.stdout.write(`\n# ${name}\n`);
  const { status } = spawnSync(process.execPath, [join(folder, `${name}.bench.ts`), ...options], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
