import { expect, test } from 'vitest';
import { BytesAtOnce } from './bytes-at-once.ts';

const kb = 1024;

function start() {
  const gate = new BytesAtOnce(300 * kb);
  const begun: string[] = [];
  const begin = (name: string, bytes: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const ran = gate.run(bytes, () => {
      begun.push(name);
      return promise;
    });
    return {
      end() {
        resolve(name);
        return ran;
      },
      fail() {
        reject(new Error(name));
        return ran;
      },
    };
  };
  return { begun, begin };
}

test('batches under way have at most so many bytes together, and the next one begins when one ends', async () => {
  const { begun, begin } = start();
  const [a] = [begin('a', 200 * kb), begin('b', 100 * kb), begin('c', 100 * kb), begin('d', 100 * kb)];
  expect(begun).toEqual(['a', 'b']);
  expect(await a?.end()).toBe('a');
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('a batch above the limit waits until it is alone, and later batches wait behind it', async () => {
  const { begun, begin } = start();
  const a = begin('a', 100 * kb);
  const large = begin('large', 900 * kb);
  begin('b', 100 * kb);
  expect(begun).toEqual(['a']);
  await a.end();
  expect(begun).toEqual(['a', 'large']);
  await large.end();
  expect(begun).toEqual(['a', 'large', 'b']);
});

test('a small batch never waits, and a failed one makes room', async () => {
  const { begun, begin } = start();
  const a = begin('a', 300 * kb);
  begin('b', 300 * kb);
  begin('small', 64 * kb);
  expect(begun).toEqual(['a', 'small']);
  await expect(a.fail()).rejects.toThrow('a');
  expect(begun).toEqual(['a', 'small', 'b']);
});
