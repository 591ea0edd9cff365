import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { reachableTypes } from './reachable-types.ts';

// Builds packages/service/dist, the published package: JavaScript, SQL, the built web, the one-file publisher, examples, guides, licence and readme.
const root = join(import.meta.dirname, '..');
const service = join(root, 'packages', 'service');
const dist = join(service, 'dist');

const src = join(service, 'src');
for (const folder of ['dist', 'dist.new']) rmSync(join(service, folder), { recursive: true, force: true });

await import('./bundle.ts');

// The types of the package's exports, and those they refer to.
const { status } = spawnSync(
  join(root, 'node_modules', '.bin', 'tsc'),
  ['-p', join(service, 'tsconfig.build.json'), '--emitDeclarationOnly'],
  { stdio: 'inherit', shell: process.platform === 'win32' },
);
if (status !== 0) process.exit(status ?? 1);
const compiled = join(service, 'dist.new');
const declared = join(compiled, 'service', 'src');
// The event model is a package in this repository that is not published separately: it is included in this one.
renameSync(join(compiled, 'event-model', 'src'), join(declared, 'event-model'));
for (const file of globSync('**/*.d.ts', { cwd: declared }).map((path) => join(declared, path))) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll('../../event-model/src/', 'event-model/').replaceAll('../service/src/', ''));
}
for (const file of reachableTypes(declared, ['browser', 'client'])) {
  const target = join(dist, relative(declared, file));
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(file, target);
}
rmSync(compiled, { recursive: true });

const docs = join(root, 'docs');
for (const file of globSync('**/*.sql', { cwd: src })) {
  mkdirSync(dirname(join(dist, file)), { recursive: true });
  copyFileSync(join(src, file), join(dist, file));
}
cpSync(join(root, 'packages', 'web', 'dist'), join(dist, 'web'), { recursive: true });
cpSync(join(root, 'packages', 'publisher', 'dist-file'), join(dist, 'publisher'), { recursive: true });
// Listeners for runners of other languages, which `signalbox run` loads.
for (const language of ['python', 'ruby'])
  cpSync(join(root, 'packages', 'publisher', language), join(dist, 'publisher', language), { recursive: true });
cpSync(join(root, 'examples'), join(dist, 'examples'), { recursive: true });
for (const file of globSync('{start,glossary}.md', { cwd: docs }).concat(
  globSync('{concepts,guides}/*.md', { cwd: docs }),
)) {
  mkdirSync(dirname(join(dist, 'docs', file)), { recursive: true });
  copyFileSync(join(docs, file), join(dist, 'docs', file));
}
// Without white space, because only programs read it.
mkdirSync(join(dist, 'docs', 'reference'), { recursive: true });
for (const file of globSync('reference/*.json', { cwd: docs }))
  writeFileSync(join(dist, 'docs', file), JSON.stringify(JSON.parse(readFileSync(join(docs, file), 'utf8'))));
for (const file of ['README.md', 'LICENSE']) copyFileSync(join(root, file), join(service, file));
