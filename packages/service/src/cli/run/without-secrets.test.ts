import { expect, test } from 'vitest';
import { withoutSecrets } from './without-secrets.ts';

const published = (...command: string[]) => withoutSecrets(command).words.join(' ');

test('values of secret flags, variables and headers, and passwords in addresses, are left out', () => {
  expect(published('npm', 'test', '--token=abc', '--reporter=dot')).toBe('npm test --token=*** --reporter=dot');
  expect(published('tool', '--api-key', 'abc', '--', 'x')).toBe('tool --api-key *** -- x');
  expect(published('env', 'NPM_TOKEN=abc', 'PGPASSWORD=x', 'CI=1', 'npm', 't')).toBe(
    'env NPM_TOKEN=*** PGPASSWORD=*** CI=1 npm t',
  );
  expect(published('curl', '-H', 'Authorization: Bearer abc', 'https://ada:pw@host/x')).toBe(
    'curl -H Authorization: *** https://ada:***@host/x',
  );
  expect(published('psql', '--password', '--host', 'db')).toBe('psql --password --host db');
});

test('removed parts are named, and a command without secrets stays as it is', () => {
  expect(withoutSecrets(['x', '--password=1', 'postgres://a:b@h/d']).leftOut).toEqual([
    'the value of --password',
    'the password in an address',
  ]);
  expect(withoutSecrets(['npm', 'run', 'test:unit', '--', '--shard=1/2'])).toEqual({
    words: ['npm', 'run', 'test:unit', '--', '--shard=1/2'],
    leftOut: [],
  });
});

test.each([
  ['curl -u me:S https://x', 'curl -u me:*** https://x'],
  ['curl --user=me:S x', 'curl --user=me:*** x'],
  ['mysql -uroot -pS db', 'mysql -uroot -p*** db'],
  ['sshpass -p S ssh x', 'sshpass -p *** ssh x'],
  ['docker run -p8080:80 x', 'docker run -p8080:80 x'],
  ['tool --pass S', 'tool --pass ***'],
  ['tool --auth S', 'tool --auth ***'],
  ['tool --key S', 'tool --key ***'],
  ['tool --dbPassword=S', 'tool --dbPassword=***'],
  ['env PRIVATE_KEY=S x', 'env PRIVATE_KEY=*** x'],
  ['curl https://h/a?x=1&access_token=S&y=2', 'curl https://h/a?x=1&access_token=***&y=2'],
  ['redis-cli -a S get x', 'redis-cli -a *** get x'],
  ['curl ghp_abcdefghijklmnopqrstuvwxyz012345', 'curl ***'],
  ['git commit --author=ada --keep', 'git commit --author=ada --keep'],
])('secrets are recognised by their form: %s', (given, expected) => {
  expect(withoutSecrets(given.split(' ')).words.join(' ')).toBe(expected);
});

test('scripts and headers are searched for secrets too', () => {
  expect(published('sh', '-c', 'export TOKEN=S; npm test && DB_PASS="a b" run --key S')).toBe(
    'sh -c export TOKEN=***; npm test && DB_PASS=*** run --key ***',
  );
  expect(published('sh', '-c', `curl -H 'PRIVATE-TOKEN: S' -u me:S https://a:S@h`)).toBe(
    'sh -c curl -H PRIVATE-TOKEN: *** -u me:*** https://a:***@h',
  );
  expect(published('curl', '-H', 'PRIVATE-TOKEN: S')).toBe('curl -H PRIVATE-TOKEN: ***');
  expect(published('curl', '-H', 'Accept: text/html')).toBe('curl -H Accept: text/html');
});
