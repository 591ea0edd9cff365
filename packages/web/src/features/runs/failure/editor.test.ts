import { expect, test } from 'vitest';
import { editorAddress } from './editor.ts';

const place = { file: 'src/cart total.ts', line: 7, column: 3 };

test('a place opens in the chosen editor, by its path on this machine', () => {
  expect(editorAddress('vscode', '/home/ada/shop', place)).toBe('vscode://file/home/ada/shop/src/cart%20total.ts:7:3');
  expect(editorAddress('cursor', '/r/', { ...place, column: null })).toBe('cursor://file/r/src/cart%20total.ts:7:1');
  expect(editorAddress('idea', '/r', place)).toBe('idea://open?file=%2Fr%2Fsrc%2Fcart%20total.ts&line=7&column=3');
  expect(editorAddress('zed', '/r', { ...place, file: '/elsewhere/a.ts' })).toBe('zed://file/elsewhere/a.ts:7:3');
  expect(editorAddress('vscode', 'C:/shop', { ...place, file: 'a.ts' })).toBe('vscode://file/C:/shop/a.ts:7:3');
});
