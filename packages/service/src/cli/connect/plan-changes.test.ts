import { expect, test } from 'vitest';
import { planChanges, tools } from './plan-changes.ts';

test('where a token is wanted each file names its variable as that tool reads it, never its value', () => {
  const options = { url: 'http://127.0.0.1:5526', token: true, hooks: false, remove: false, tools };
  const written = Object.fromEntries(planChanges(() => null, options).map(({ path, after }) => [path, after]));
  const plain = ['Bearer $', '{SIGNALBOX_TOKEN}'].join('');
  const prefixed = ['Bearer $', '{env:SIGNALBOX_TOKEN}'].join('');
  expect(written['.mcp.json']).toContain(plain);
  expect(written['.cursor/mcp.json']).toContain(prefixed);
  expect(written['.vscode/mcp.json']).toContain(prefixed);
  expect(written['.codex/config.toml']).toContain('bearer_token_env_var = "SIGNALBOX_TOKEN"');
});
