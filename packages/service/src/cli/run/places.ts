import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { readPlainFile } from '../../files/plain-file.ts';
import type { ImportedTest } from '../import/imported-run.ts';

/** File names relative to the root of the repository, as publishers send them. A missing file keeps its name. */
export class Places {
  readonly #root: string;
  readonly #folder: string;
  readonly #module: { name: string; folder: string } | null;
  readonly #known = new Map<string, string>();

  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
    this.#module = goModule(folder);
  }

  test(test: ImportedTest): ImportedTest {
    const feature = this.feature(test.feature);
    return test.file === null ? { ...test, feature } : { ...test, feature, file: this.#file(test.file, test.feature) };
  }

  /** Some runners name a test after its file. */
  feature(feature: string): string {
    return isAbsolute(feature) ? this.#inRepository(feature) : feature;
  }

  #file(file: string, feature: string): string {
    const key = `${feature}\n${file}`;
    const known = this.#known.get(key) ?? this.#find(file, feature);
    this.#known.set(key, known);
    return known;
  }

  #find(file: string, feature: string): string {
    if (isAbsolute(file)) return this.#inRepository(file);
    const found = [this.#folder, ...this.#packageFolder(feature)]
      .map((folder) => resolve(folder, file))
      .find((path) => existsSync(path));
    return found === undefined ? file : this.#inRepository(found);
  }

  /** Go names a file relative to the folder of its package. */
  #packageFolder(feature: string): string[] {
    const { name, folder } = this.#module ?? { name: '', folder: '' };
    if (name === '' || (feature !== name && !feature.startsWith(`${name}/`))) return [];
    return [join(folder, feature.slice(name.length))];
  }

  #inRepository(path: string): string {
    const inside = relative(this.#root, path);
    return inside.startsWith('..') || isAbsolute(inside) ? path : inside.replaceAll('\\', '/');
  }
}

function goModule(from: string): { name: string; folder: string } | null {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const file = join(folder, 'go.mod');
    if (existsSync(file)) {
      const name = /^module\s+(\S+)/m.exec(readPlainFile(file, 1024 * 1024).toString('utf8'))?.[1];
      return name === undefined ? null : { name, folder };
    }
    if (dirname(folder) === folder) return null;
  }
}
