import { expect, test } from 'vitest';
import { parallelTouches } from './parallel-touches.ts';
import { globFault, globsMeet, globsOf } from './touched-paths.ts';

test('two globs meet where some path matches both', () => {
  for (const [a, b] of [
    ['src/price/**', 'src/**/parse.ts'],
    ['src/*.ts', 'src/p?ice.ts'],
    ['**/package.json', 'package.json'],
    ['src/', 'src/deep/down/file.ts'],
    ['src/a*c.ts', 'src/*bc.ts'],
    ['**', 'any/thing'],
    ['app/[id]/page.tsx', 'app/[id]/*'],
    ['a/**/z', 'a/b/**'],
  ] as const) {
    expect([a, b, globsMeet(a, b), globsMeet(b, a)]).toEqual([a, b, true, true]);
  }
  for (const [a, b] of [
    ['src/price/**', 'src/cart/**'],
    ['src/*.ts', 'src/deep/price.ts'],
    ['src/*.ts', 'src/*.css'],
    ['src/?.ts', 'src/ab.ts'],
    ['docs/**/*.md', 'docs/**/*.ts'],
    ['package.json', 'packages/web/package.json'],
    ['a/**/z', 'b/**/z'],
  ] as const) {
    expect([a, b, globsMeet(a, b), globsMeet(b, a)]).toEqual([a, b, false, false]);
  }
});

test('whether two globs meet agrees with trying all short paths', () => {
  const names = ['a', 'b', 'ab'];
  const paths = names.flatMap((one) => [one, ...names.flatMap((two) => [`${one}/${two}`, `${one}/${two}/a`])]);
  const parts = ['a', '*', '?', 'a*', '*b', '**'];
  const globs = parts.flatMap((one) => [one, ...parts.map((two) => `${one}/${two}`)]);
  const matched = new Map(globs.map((glob) => [glob, new Set(paths.filter((path) => globsMeet(glob, path)))]));
  for (const a of globs)
    for (const b of globs) {
      const isShared = [...(matched.get(a) ?? [])].some((path) => matched.get(b)?.has(path));
      if (isShared) expect([a, b, globsMeet(a, b)]).toEqual([a, b, true]);
      expect(globsMeet(a, b)).toBe(globsMeet(b, a));
    }
});

test('a glob is relative to the repository, without alternatives and negation', () => {
  expect(['src/**', 'a/b.ts', 'docs/', '[id].ts'].map(globFault)).toEqual([null, null, null, null]);
  for (const text of ['/etc', '../x', './x', 'a//b', '!src', 'src/{a,b}', 'src\\a'])
    expect(globFault(text)).not.toBeNull();
});

test('many changed paths become few globs that cover them all', () => {
  expect(globsOf(['src/b.ts', 'src/a.ts'])).toEqual(['src/a.ts', 'src/b.ts']);
  const many = Array.from({ length: 30 }, (_, at) => `src/price/${at}/file.ts`);
  expect(globsOf([...many, 'README.md'])).toEqual(['README.md', 'src/price/**']);
  expect(globsOf(Array.from({ length: 30 }, (_, at) => `${at}.ts`))).toEqual(['**']);
  expect(globsOf(['src/{odd}.ts'])).toEqual(['src/?odd}.ts']);
});

test('nodes that touch the same are named unless one depends on the other', () => {
  const node = (id: string, touches: string[], dependsOn: string[] = []) => ({ id, touches, dependsOn });
  const nodes = [
    node('lexer', ['src/price/**']),
    node('parser', ['src/price/parse.ts'], ['middle']),
    node('middle', [], ['lexer']),
    node('refund', ['src/**/parse.ts']),
    node('docs', ['docs/**']),
  ];
  const found = parallelTouches([{ slug: 'shop', repository: 'acme/shop', nodes }]);
  expect(found.map(({ ref, other, glob, at }) => [at, ref, other, glob])).toEqual([
    [3, 'shop/refund', 'shop/lexer', 'src/**/parse.ts'],
    [3, 'shop/refund', 'shop/parser', 'src/**/parse.ts'],
  ]);
  const elsewhere = { slug: 'other', repository: 'acme/other', nodes: [node('a', ['src/**'])] };
  expect(
    parallelTouches([elsewhere, { slug: 'shop', repository: 'acme/shop', nodes: [node('b', ['src/**'])] }]),
  ).toEqual([]);
});
