import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const dist = join(import.meta.dirname, '../../packages/web/dist');
const packed = (path: string) => gzipSync(readFileSync(join(dist, path)), { level: 9 }).length;

test('first load takes at most 130 KB of JavaScript, and no page more than 75 KB on top', () => {
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const first = [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, path]) => path as string);
  expect(first.length).toBeGreaterThan(0);
  expect(first.reduce((sum, path) => sum + packed(path), 0)).toBeLessThan(130 * 1024);
  for (const name of readdirSync(join(dist, 'assets')).filter((file) => file.endsWith('.js')))
    if (!first.includes(`assets/${name}`)) expect(packed(`assets/${name}`), name).toBeLessThan(75 * 1024);
});

test('the page holds nothing that its own policy would block', () => {
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  expect(html).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)|https?:\/\//);
});
