import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { CannotConnect } from './change.ts';
import { type Ours, withOurs, withoutOurs } from './json-edit.ts';

const isServer = (value: unknown) => typeof value === 'object' && value !== null && 'url' in value;
const server: Ours = { path: ['mcpServers'], key: 'signalbox', value: { type: 'http', url: 'u' }, isOurs: isServer };
const allowed = ['permissions', 'allow'];
const isRule = (value: unknown) => String(value).startsWith('mcp__signalbox__');
const rules: Ours[] = ['a', 'b'].map((tool) => ({ path: allowed, value: `mcp__signalbox__${tool}`, isOurs: isRule }));
const isHook = (value: unknown) => JSON.stringify(value).includes('curl');
const hooks: Ours[] = [
  ['hooks', 'Stop'],
  ['hooks', 'SessionEnd'],
].map((path) => ({
  path,
  value: { hooks: [{ type: 'command', command: 'curl' }] },
  isOurs: isHook,
}));
const everything = [server, ...rules, ...hooks];

const layouts: Record<string, string> = {
  'an empty object': '{}',
  'an empty object with a line break': '{}\n',
  'an empty object over two lines': '{\n}\n',
  'an empty object with blanks': '{   }',
  'nothing but blanks': ' \n\n',
  'an empty file': '',
  'two blanks': '{\n  "mcpServers": {\n    "mine": { "command": "x" }\n  },\n  "other": 1\n}\n',
  tabs: '{\n\t"mcpServers": {\n\t\t"mine": {\n\t\t\t"command": "x"\n\t\t}\n\t},\n\t"other": 1\n}',
  'four blanks and no line break at the end': '{\n    "other": [1, 2]\n}',
  'the line ends of Windows': '{\r\n  "mcpServers": {\r\n    "mine": {}\r\n  }\r\n}\r\n',
  'one line': '{"mcpServers":{"mine":{}},"hooks":{"Stop":[]},"permissions":{"allow":["Bash(ls)"]}}',
  'one line with blanks':
    '{ "mcpServers": { "mine": {} }, "hooks": { "Stop": [ ] }, "permissions": { "allow": [ "x" ] } }\n',
  comments:
    '// top\n{\n  // servers\n  "mcpServers": { // mine\n    "mine": {}, // last\n  },\n  /* end */\n}\n// bottom\n',
  'an object with a comment alone': '{\n  // nothing yet\n}\n',
  'empty holders':
    '{\n  "mcpServers": {},\n  "permissions": { "allow": [] },\n  "hooks": { "Stop": [], "SessionEnd": [\n  ] }\n}\n',
  'hooks of others':
    '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "say" }] }\n    ],\n    "PreToolUse": []\n  }\n}\n',
  'permissions of others': '{\n  "permissions": {\n    "allow": ["Bash(npm test)"],\n    "deny": []\n  }\n}\n',
  'trailing commas': '{\n  "mcpServers": {\n    "mine": {},\n  },\n}\n',
  'a byte order mark': '\uFEFF{\n  "mcpServers": {}\n}\n',
};

describe('JSON that is shared with others', () => {
  test.each(Object.entries(layouts))('is restored byte for byte: %s', (_, text) => {
    for (const ours of [[server], rules, hooks, everything]) {
      const connected = withOurs('x.json', text, ours);
      expect(connected).not.toBe(text);
      expect(withOurs('x.json', connected, ours)).toBe(connected);
      expect(withoutOurs('x.json', connected, ours)).toBe(text);
      expect(parse(connected.replace('\uFEFF', ''))).toMatchObject(
        ours.includes(server) ? { mcpServers: { signalbox: server.value } } : {},
      );
    }
  });

  test('is absent again if it was absent before', () => {
    const connected = withOurs('x.json', null, everything);
    expect(JSON.parse(connected)).toEqual({
      mcpServers: { signalbox: { type: 'http', url: 'u' } },
      permissions: { allow: ['mcp__signalbox__a', 'mcp__signalbox__b'] },
      hooks: { Stop: [hooks[0]?.value], SessionEnd: [hooks[1]?.value] },
    });
    expect(connected.endsWith('}\n')).toBe(true);
    expect(withoutOurs('x.json', connected, everything)).toBeNull();
  });

  test('replaces an old address by the new one', () => {
    const text = '{\n  "mcpServers": {\n    "mine": {}\n  }\n}\n';
    const moved = { ...server, value: { type: 'http', url: 'v' } };
    const connected = withOurs('x.json', withOurs('x.json', text, [server]), [moved]);
    expect(connected).not.toContain('"u"');
    expect(withoutOurs('x.json', connected, [moved])).toBe(text);
  });

  test('loses our part even if somebody reformatted it or put it last', () => {
    const text = '{ "mcpServers": { "mine": { "command": "x" },\n"signalbox": { "url": "old" } } }';
    expect(withoutOurs('x.json', text, [server])).toBe('{ "mcpServers": { "mine": { "command": "x" } } }');
  });

  test('keeps an entry of the same name that is not ours', () => {
    const text = '{ "mcpServers": { "signalbox": { "command": "mine" } } }';
    expect(withoutOurs('x.json', text, [server])).toBe(text);
  });

  test('that cannot be read stops connecting, and stops removing only if it names us', () => {
    expect(() => withOurs('x.json', '{ "a": }', [server])).toThrow(CannotConnect);
    expect(() => withOurs('x.json', '[]', [server])).toThrow(CannotConnect);
    expect(() => withOurs('x.json', '{ "mcpServers": 1 }', [server])).toThrow(
      '"mcpServers" in x.json is not an object',
    );
    expect(withoutOurs('x.json', '{ "a": }', [server])).toBe('{ "a": }');
    expect(() => withoutOurs('x.json', '{ "signalbox": }', [server])).toThrow(CannotConnect);
    expect(() => withOurs('x.json', '['.repeat(200_000), [server])).toThrow(CannotConnect);
  });
});
