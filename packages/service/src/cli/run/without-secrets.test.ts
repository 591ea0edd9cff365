import { expect, test } from 'vitest';
import { withoutSecrets } from './without-secrets.ts';

const published = (...command: string[]) => withoutSecrets(command).words.join(' ');

test('values of secret flags, variables and headers, and passwords in addresses, are left out', () => {
  expect(published('npm', 'test', '--token=abc', '--reporter=dot')).toBe('npm test --token=… --reporter=dot');
  expect(published('tool', '--api-key', 'abc', '--', 'x')).toBe('tool --api-key … -- x');
  expect(published('env', 'NPM_TOKEN=abc', 'PGPASSWORD=x', 'CI=1', 'npm', 't')).toBe(
    'env NPM_TOKEN=… PGPASSWORD=… CI=1 npm t',
  );
  expect(published('curl', '-H', 'Authorization: Bearer abc', 'https://ada:pw@host/x')).toBe(
    'curl -H Authorization: … https://ada:…@host/x',
  );
  expect(published('psql', '--password', '--host', 'db')).toBe('psql --password --host db');
});

test('what was left out is named, and a plain command stays as it is', () => {
  expect(withoutSecrets(['x', '--password=1', 'postgres://a:b@h/d']).leftOut).toEqual([
    'the value of --password',
    'the password in an address',
  ]);
  expect(withoutSecrets(['npm', 'run', 'test:unit', '--', '--shard=1/2'])).toEqual({
    words: ['npm', 'run', 'test:unit', '--', '--shard=1/2'],
    leftOut: [],
  });
});
