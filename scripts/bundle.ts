import { createHash } from 'node:crypto';
import { globSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { commandTable, tableFile } from '../packages/service/src/cli/command-table.ts';

// Bundles the program and its dependencies into packages/service/dist: fewer files start faster and need less memory.
const root = join(import.meta.dirname, '..');
const src = join(root, 'packages/service/src');
const dist = join(root, 'packages/service/dist');
/** A running service loads some chunks later, so those of an earlier bundle are kept for a while. */
const keptDays = 7;

/** Modules that are started or imported by path keep their path. */
const entries = globSync(
  ['cli/bin.ts', 'coordination/plans/io/plan-texts-thread.ts', 'app/backup-thread.ts', '{browser,client}/**/*.ts'],
  {
    cwd: src,
  },
).filter((file) => !file.endsWith('.test.ts'));

/** One non-ASCII character makes V8 store the whole file with two bytes per character. */
const asciiOnly: Plugin = {
  name: 'ascii-only',
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type !== 'chunk') continue;
      if (/\\[\u0080-\uffff]/.test(file.code))
        throw new Error(`${file.fileName} has a backslash before such a character`);
      file.code = file.code.replace(
        /[\u0080-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

/** The prompt is one file, because a shell waits for it: six chunks took half as long to load as Node takes to start. */
const promptApart: Plugin = {
  name: 'prompt-apart',
  resolveId: (source, importer) =>
    source === './prompt-line.ts' && importer?.endsWith('bin.ts') ? { id: './prompt-line.js', external: true } : null,
};

const build = await rolldown({
  cwd: join(root, 'packages/service'),
  input: Object.fromEntries(entries.map((file) => [file.slice(0, -'.ts'.length), join(src, file)])),
  platform: 'node',
  resolve: { mainFields: ['module', 'main'] },
  // Not bundled: used only if it is installed.
  external: ['pg-native'],
  plugins: [asciiOnly, promptApart],
  logLevel: 'warn',
});
const { output } = await build.write({
  dir: dist,
  format: 'esm',
  comments: false,
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
});
await build.close();

await writeOneFile('cli/prompt-line.ts', 'cli/prompt-line.js');
// For images that have only Node 20 or later.
await writeOneFile('observer/main.ts', 'observer/signalbox-observe.mjs', 'node20');
writeFileSync(join(dist, tableFile), await commandTable());

const chunks = output.filter((file) => file.type === 'chunk');
for (const { fileName, code } of chunks)
  if (/require\("\.{1,2}\//.test(code)) throw new Error(`${fileName} requires a file that is not part of the bundle`);

const names = chunks.map(({ fileName, code }) => `${fileName} ${createHash('sha256').update(code).digest('hex')}`);
writeFileSync(join(dist, 'program-digest'), createHash('sha256').update(names.sort().join('\n')).digest('hex'));
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licencesOf(chunks));

const current = new Set(chunks.map(({ fileName }) => fileName));
for (const name of readdirSync(join(dist, 'chunks'))) {
  const path = join(dist, 'chunks', name);
  const days = (Date.now() - statSync(path).mtimeMs) / 86_400_000;
  if (!current.has(`chunks/${name}`) && days > keptDays) rmSync(path);
}

/** The licence of every bundled package, as it requires. */
function licencesOf(bundled: readonly OutputChunk[]): string {
  const folders = new Set(
    bundled
      .flatMap(({ modules }) => Object.keys(modules))
      .flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  );
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const [file] = globSync('{LICENSE,LICENCE,license,licence}*', { cwd: folder });
      const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
      return `${name} ${version} (${license})${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}

async function writeOneFile(entry: string, file: string, target?: string): Promise<void> {
  const one = await rolldown({
    input: join(src, entry),
    platform: 'node',
    ...(target && { transform: { target } }),
    logLevel: 'warn',
  });
  const minify = { mangle: false, compress: false, codegen: { removeWhitespace: true } };
  await one.write({ file: join(dist, file), format: 'esm', comments: false, codeSplitting: false, minify });
  await one.close();
}
