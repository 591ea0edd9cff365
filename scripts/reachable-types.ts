import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The type declarations in `folder` that those of these rooms import. Users of the package cannot reach any others. */
export function reachableTypes(folder: string, rooms: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = rooms.flatMap((room) =>
    globSync(`${room}/**/*.d.ts`, { cwd: folder }).map((file) => join(folder, file)),
  );
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()["'](\.[^"']+)["']/g)) {
      const named = resolve(dirname(file), path).replace(/\.[jt]s$/, '.d.ts');
      if (!existsSync(named)) throw new Error(`${file} names ${path}, which is not there`);
      waiting.push(named);
    }
  }
  return reached;
}
