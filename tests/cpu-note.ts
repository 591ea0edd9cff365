import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect } from 'vitest';
const now = () => {
  const f = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  return { u: (+f[11] + +f[12]) * 10, c: (+f[13] + +f[14]) * 10, t: Date.now() };
};
const g = globalThis as any;
g.__last ??= { u: 0, c: 0, t: Date.now() };
beforeAll(() => { g.__a = now(); });
afterAll(() => {
  const b = now();
  const a = g.__last;
  appendFileSync('/tmp/cpu.ndjson', JSON.stringify({ file: expect.getState().testPath?.replace('/tmp/h/gate/', ''), pid: process.pid, u: b.u - a.u, load: g.__a.u - a.u, c: b.c - a.c, ms: b.t - g.__a.t }) + '\n');
  g.__last = b;
});
