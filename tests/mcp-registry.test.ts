import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mcpPath } from '../packages/service/src/kernel/service-paths.ts';

const read = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, '../packages/service', file), 'utf8'));

test('the entry for the registry of MCP servers has the package and version of this checkout', () => {
  const { name, version } = read('package.json');
  const server = read('server.json');
  expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(server.description.length).toBeLessThanOrEqual(100);
  expect(server).toMatchObject({ version, packages: [{ identifier: name, version }] });
  expect(new URL(server.packages[0].transport.url).pathname).toBe(mcpPath);
});
