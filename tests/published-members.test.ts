import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { membersOf, type OpenApi } from './published-members.ts';
import { verifies } from './verifies.ts';

const reference = join(import.meta.dirname, '..', 'docs', 'reference');
const kept = join(import.meta.dirname, 'fixtures', 'published-members.json');
const ports = ['coordination', 'console'] as const;
const membersNow = (port: string): string[] =>
  membersOf(JSON.parse(readFileSync(join(reference, `openapi.${port}.json`), 'utf8')) as OpenApi);

verifies('json:members-stay', 'every member of an answer that was ever published is still there', () => {
  const now = Object.fromEntries(ports.map((port) => [port, membersNow(port)]));
  const before: Record<string, string[]> = JSON.parse(readFileSync(kept, 'utf8'));
  for (const port of ports) {
    expect(before[port]?.length).toBeGreaterThan(100);
    const gone = before[port]?.filter((member) => !now[port]?.includes(member));
    expect(gone, `${port}: members stay; new ones are added with UPDATE_PUBLISHED=1`).toEqual([]);
  }
  // The list only grows: new members are published with the next release.
  if (process.env.UPDATE_PUBLISHED) {
    const all = ports.map((port) => [port, [...new Set([...(before[port] ?? []), ...(now[port] ?? [])])].sort()]);
    writeFileSync(kept, `${JSON.stringify(Object.fromEntries(all), null, 1)}\n`);
  }
});
