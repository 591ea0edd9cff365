import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reachableTypes } from './reachable-types.ts';

// Makes packages/service/dist, all that is published: JavaScript, SQL, the built web, the one-file publisher, examples, guides, licence and readme.
const root = join(import.meta.dirname, '..');
const service = join(root, 'packages', 'service');
const dist = join(service, 'dist');

for (const folder of ['dist', 'dist.new']) rmSync(join(service, folder), { recursive: true, force: true });
const { status } = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', join(service, 'tsconfig.build.json')], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (status !== 0) process.exit(status ?? 1);

// The event model is a package of the repository, not of the registry: it is published inside this one.
const compiled = join(service, 'dist.new');
renameSync(join(compiled, 'service', 'src'), dist);
renameSync(join(compiled, 'event-model', 'src'), join(dist, 'event-model'));
rmSync(compiled, { recursive: true });
for (const file of globSync('**/*.{js,d.ts}', { cwd: dist })) {
  const text = readFileSync(join(dist, file), 'utf8');
  const moved = text.replaceAll('../../event-model/src/', 'event-model/').replaceAll('../service/src/', '');
  if (moved !== text) writeFileSync(join(dist, file), moved);
}

// What the package exports, and what that refers to.
const types = reachableTypes(dist, ['browser', 'client']);
for (const file of globSync('**/*.d.ts', { cwd: dist })) if (!types.has(join(dist, file))) rmSync(join(dist, file));

const src = join(service, 'src');
const docs = join(root, 'docs');
for (const file of globSync('**/*.sql', { cwd: src })) {
  mkdirSync(dirname(join(dist, file)), { recursive: true });
  copyFileSync(join(src, file), join(dist, file));
}
cpSync(join(root, 'packages', 'web', 'dist'), join(dist, 'web'), { recursive: true });
cpSync(join(root, 'packages', 'publisher', 'dist-file'), join(dist, 'publisher'), { recursive: true });
cpSync(join(root, 'examples'), join(dist, 'examples'), { recursive: true });
for (const file of globSync('{start,glossary}.md', { cwd: docs }).concat(
  globSync('{concepts,guides}/*.md', { cwd: docs }),
)) {
  mkdirSync(dirname(join(dist, 'docs', file)), { recursive: true });
  copyFileSync(join(docs, file), join(dist, 'docs', file));
}
for (const file of ['README.md', 'LICENSE']) copyFileSync(join(root, file), join(service, file));
