import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Hunk, parseDiff, parseHunk, parseStatus, rangesOf, rangesTouch, shiftRanges } from './changes.ts';

test('a hunk names gaps between lines, so that an insertion has a place', () => {
  expect(parseHunk('@@ -3,2 +3 @@ function')).toEqual({ old: [2, 4], new: [2, 3] });
  expect(parseHunk('@@ -10,0 +11,3 @@')).toEqual({ old: [10, 10], new: [10, 13] });
  expect(parseHunk('@@ -1,4 +0,0 @@')).toEqual({ old: [0, 4], new: [0, 0] });
  expect(parseHunk('+@@ -1 +1 @@')).toBeNull();
});

test('a diff is read by its raw entries and section headers alone, never by its content', () => {
  const object = (letter: string) => letter.repeat(40);
  const output = [
    `:100644 100644 ${object('a')} ${object('0')} M\0src/a b.ts\0`,
    `:000000 100644 ${object('0')} ${object('c')} A\0"new"\0`,
    `:100644 100644 ${object('d')} ${object('e')} M\0logo.png\0`,
    `:160000 160000 ${object('1')} ${object('2')} M\0lib\0`,
    '\0',
    'diff --git a/src/a b.ts b/src/a b.ts\nindex 1..2\n--- a/x\n+++ b/x\n@@ -2 +2 @@\n-diff --git a b\n+@@ -9 +9 @@\n',
    'diff --git a/new b/new\n@@ -0,0 +1,2 @@\n+a\n+b\n',
    'diff --git a/logo.png b/logo.png\nBinary files a/logo.png and b/logo.png differ\n',
    'diff --git a/lib b/lib\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n',
  ].join('');
  expect(parseDiff(output)).toMatchObject([
    { path: 'src/a b.ts', change: 'modified', before: object('a'), after: null, hunks: [{ old: [1, 2] }] },
    { path: '"new"', change: 'added', before: null, hunks: [{ old: [0, 0], new: [0, 2] }] },
    { path: 'logo.png', hunks: null },
    { path: 'lib', hunks: null },
  ]);
  expect(parseDiff('')).toEqual([]);
});

test('a record of the status is a path that git tracks, does not track yet, or ignores', () => {
  const tracked = `1 .M N... 100644 100644 100644 ${'a'.repeat(40)} ${'b'.repeat(40)} src/a b.ts`;
  const unmerged = `u UU N... 100644 100644 100644 100644 ${'a'.repeat(40)} ${'b'.repeat(40)} ${'c'.repeat(40)} x y`;
  expect(parseStatus(tracked)).toEqual({ path: 'src/a b.ts', state: 'tracked' });
  expect(parseStatus(unmerged)).toEqual({ path: 'x y', state: 'tracked' });
  expect(parseStatus('? new file')).toEqual({ path: 'new file', state: 'untracked' });
  expect(parseStatus('! dist/')).toEqual({ path: 'dist/', state: 'ignored' });
  expect(parseStatus('# branch.oid abc')).toBeNull();
});

test('many hunks become fewer ranges that cover no less', () => {
  const hunks: Hunk[] = Array.from({ length: 500 }, (_, at) => ({
    old: [at * 3, at * 3 + 1],
    new: [at * 3, at * 3 + 1],
  }));
  const ranges = rangesOf(hunks);
  expect(ranges).toHaveLength(100);
  expect(hunks.every(({ old }) => rangesTouch([old], ranges))).toBe(true);
});

test('ranges move with what a later version put before them', () => {
  const prepended: Hunk[] = [{ old: [0, 0], new: [0, 3] }];
  expect(shiftRanges([[4, 5]], prepended)).toEqual([[7, 8]]);
  expect(shiftRanges([[0, 0]], prepended)).toEqual([[0, 3]]);
  const removed: Hunk[] = [{ old: [2, 6], new: [2, 2] }];
  expect(shiftRanges([[8, 9]], removed)).toEqual([[4, 5]]);
  expect(shiftRanges([[3, 5]], removed)).toEqual([[2, 2]]);
});

test('lines that no hunk touches are the same lines in the later version', () => {
  const edits = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })),
    {
      maxLength: 6,
    },
  );
  fc.assert(
    fc.property(edits, (steps) => {
      const before: number[] = [];
      const after: number[] = [];
      const hunks: Hunk[] = [];
      let line = 0;
      for (const [same, gone, come] of steps) {
        for (let at = 0; at < same; at++, line++) for (const text of [before, after]) text.push(line);
        const [from, to] = [before.length, after.length];
        for (let at = 0; at < gone; at++) before.push(-1 - before.length);
        for (let at = 0; at < come; at++) after.push(1_000_000 + to + at);
        if (gone + come > 0) hunks.push({ old: [from, from + gone], new: [to, to + come] });
      }
      for (const [index, text] of before.entries()) {
        if (!after.includes(text)) continue;
        const [[from = -1] = []] = shiftRanges([[index, index + 1]], hunks);
        expect(after[from]).toBe(text);
      }
    }),
  );
});
