import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tooOld } from './node-version.ts';

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

test('the message for an old Node names the required version, the same as in the package', () => {
  const wanted = engines.node.replace('>=', '');
  for (const version of ['20.20.2', '22.12.0', '18.0.0']) expect(tooOld(version)).toContain(`Node ${wanted} or later`);
  for (const version of [`${wanted}.0`, '22.23.3', '24.0.0']) expect(tooOld(version)).toBeUndefined();
});
