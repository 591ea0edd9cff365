import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BadConfig, readConfig } from '../../packages/service/src/app/config.ts';
import { settingKeys, settingOf } from '../../packages/service/src/app/settings.ts';
import { toolHomes } from '../../packages/service/src/coordination/agents/tools/tools.ts';
import { noteSettings } from '../exercised.ts';
import { signalbox } from '../spawn.ts';
import { verifies } from '../verifies.ts';

function read(given: { env?: Record<string, string>; args?: string[]; file?: unknown } = {}, standalone = false) {
  const cwd = mkdtempSync(join(tmpdir(), 'signalbox-config-'));
  if (given.file !== undefined) {
    const text = typeof given.file === 'string' ? given.file : JSON.stringify(given.file);
    writeFileSync(join(cwd, 'signalbox.json'), text);
  }
  noteSettings([...Object.keys(given.env ?? {}), ...(given.args ?? []), ...settingsIn(given.file)]);
  return { cwd, ...readConfig({ env: given.env ?? {}, args: given.args ?? [], cwd, home: '/home/ada' }, standalone) };
}

const settingsIn = (file: unknown): string[] => JSON.stringify(file ?? '').match(/\w+(?=\\?":)/g) ?? [];

verifies(
  [
    'listen:default-ports',
    'listen:port-variable',
    'listen:console-port-variable',
    'listen:both-ports-at-once',
    'listen:standalone-port',
    'listen:host-variable',
  ],
  'the ports are 5526 and 5525 unless PORT and CONSOLE_PORT say otherwise, the address loopback unless HOST does',
  () => {
    const ports = (env: Record<string, string>, standalone = false) => {
      const { port, consolePort } = read({ env }, standalone).config;
      return [port, consolePort];
    };
    expect(ports({})).toEqual([5526, 5525]);
    expect(ports({ PORT: '8026' })).toEqual([8026, 5525]);
    expect(ports({ CONSOLE_PORT: '8025' })).toEqual([5526, 8025]);
    expect(ports({ PORT: '8026,8025' })).toEqual([8026, 8025]);
    expect(ports({ PORT: '8026' }, true)[1]).toBe(5525);
    expect(ports({ PORT: '8026,8025' }, true)[1]).toBe(8025);
    expect(ports({ PORT: '8026', CONSOLE_PORT: '8025' }, true)[1]).toBe(8025);
    expect(read().config.hosts).toEqual(['127.0.0.1', '::1']);
    expect(read({ env: { HOST: '192.0.2.1' } }).config.hosts).toEqual(['192.0.2.1']);
    expect(() => read({ env: { PORT: 'http' } })).toThrow(BadConfig);
  },
);

verifies(
  [
    'config:keys-ignore-case',
    'config:file-over-defaults',
    'config:file-nested-or-colon',
    'config:environment-over-file',
    'config:command-line-over-environment',
  ],
  'keys are found whatever their case; the file wins over the default, the environment over it, the command line over all',
  () => {
    const nested = { Service: { ObserveSeconds: 7 } };
    expect(read().config.observeSeconds).toBe(60);
    expect(read({ file: nested }).config.observeSeconds).toBe(7);
    expect(read({ file: { 'service:observeseconds': 7 } }).config.observeSeconds).toBe(7);
    expect(read({ file: nested, env: { service__OBSERVESECONDS: '8' } }).config.observeSeconds).toBe(8);
    const all = { file: nested, env: { Service__ObserveSeconds: '8' } };
    expect(read({ ...all, args: ['--Service:ObserveSeconds=9'] }).config.observeSeconds).toBe(9);
    expect(read({ ...all, args: ['start', '--service:observeseconds', '9'] }).config.observeSeconds).toBe(9);
  },
);

verifies(
  ['config:unknown-key-warning', 'config:orphan-seconds-warning', 'listen:option-warning'],
  'what has no effect is told in one line each',
  () => {
    expect(read({ env: { Service__PlanPath: 'x' } }).warnings).toEqual([
      'Service:PlanPath (the environment) is not a known key and is ignored; did you mean Service:PlansPath?',
    ]);
    expect(read({ args: ['--Service:Frobnicate=1'] }).warnings).toHaveLength(1);
    expect(read({ env: { Service__OrphanSeconds: '5' } }).warnings).toEqual([expect.stringContaining('OrphanSeconds')]);
    expect(read({ args: ['--port', '9999'] }).warnings).toEqual([
      '--port has no effect: set PORT in the environment instead.',
    ]);
    expect(read({ args: ['--host=0.0.0.0', '--urls=x'] }).warnings).toHaveLength(2);
  },
);

verifies(
  [
    'config:data-path',
    'config:store-sqlite-default',
    'config:sessions-path',
    'config:sessions-path-default',
    'config:codex-path',
    'config:host-name-default',
    'config:github-token-sources',
  ],
  'every setting has its default, its own variable and its key',
  () => {
    const { config } = read();
    expect(config).toMatchObject({
      dataPath: '/home/ada/.signalbox',
      store: 'sqlite',
      licenceGate: 'workLoop',
    });
    expect(Object.fromEntries(toolHomes(config.folderOf))).toMatchObject({
      codex: '/home/ada/.codex',
      gemini: '/home/ada/.gemini',
      copilot: '/home/ada/.copilot',
      opencode: '/home/ada/.local/share/opencode',
    });
    expect(config.sessionsPaths).toEqual(['/home/ada/.claude']);
    expect(read({ env: { CLAUDE_CONFIG_DIR: '/c' } }).config.sessionsPaths).toEqual(['/c']);
    expect(read({ env: { Service__SessionsPath: '/a, ~/b', CLAUDE_CONFIG_DIR: '/c' } }).config.sessionsPaths).toEqual([
      '/a',
      '/home/ada/b',
    ]);
    expect(toolHomes(read({ env: { CODEX_HOME: '/x' } }).config.folderOf).get('codex')).toBe('/x');
    expect(toolHomes(read({ env: { GEMINI_CLI_HOME: '/x' } }).config.folderOf).get('gemini')).toBe('/x/.gemini');
    expect(toolHomes(read({ env: { COPILOT_HOME: '/x' } }).config.folderOf).get('copilot')).toBe('/x');
    expect(toolHomes(read({ env: { XDG_DATA_HOME: '/x' } }).config.folderOf).get('opencode')).toBe('/x/opencode');
    expect(read({ env: { GH_TOKEN: 'a' } }).config.gitHubToken).toBe('a');
    expect(read({ env: { GH_TOKEN: 'a', GITHUB_TOKEN: 'b' } }).config.gitHubToken).toBe('b');
    expect(read({ env: { GITHUB_TOKEN: 'b', Service__GitHubToken: 'c' } }).config.gitHubToken).toBe('c');
  },
);

verifies('config:store-postgres', 'an invalid setting is reported by its key', () => {
  expect(read({ env: { Service__Store: 'postgres://db/x' } }).config.store).toBe('postgres://db/x');
  for (const [key, value] of [
    ['Store', 'mysql://x'],
    ['LicenceGate', 'maybe'],
    ['ObserveSeconds', 'soon'],
    ['OrphanSeconds', '-1'],
    ['PublisherUrl', 'ftp://x'],
    ['OpenIngest', 'perhaps'],
  ] as const) {
    expect.soft(() => read({ env: { [`Service__${key}`]: value } }), key).toThrow(`Service:${key}`);
  }
});

verifies(
  ['config:bounds', 'config:zero-is-off'],
  'a number outside of its bounds ends the start with a line that names them; 0 is off or refused, for every setting',
  async () => {
    const fault = 'Service:RetentionDays must be a whole number from 0 to 36500; it is';
    for (const value of ['-1', '1.5', '0x10', '36501', '1e2', 'many'])
      expect.soft(() => read({ env: { Service__RetentionDays: value } }), value).toThrow(`${fault} ${value}`);
    const numbers = settingKeys.filter((key) => settingOf(key).kind.takes.startsWith('a whole number'));
    expect(numbers).toEqual(expect.arrayContaining(['ArchiveDays', 'AttachmentsMb', 'MaxRuns', 'RetentionRuns']));
    for (const key of numbers) {
      const { takes, note } = settingOf(key).kind;
      for (const value of ['-1', '1.5', '0x10'])
        expect
          .soft(() => read({ args: [`--Service:${key}=${value}`] }))
          .toThrow(`Service:${key} must be ${takes}; it is ${value}`);
      const zero = () => read({ args: [`--Service:${key}=0`] });
      if (note?.endsWith('0 is off')) expect.soft(zero, key).not.toThrow();
      else expect.soft(zero, key).toThrow(`Service:${key} must be a whole number from 1 to`);
    }
    await using service = signalbox(['start'], {
      PORT: '0,0',
      Service__RetentionDays: '-1',
      Service__MaxRuns: '1.5',
    });
    expect([await service.ended, service.err()]).toEqual([
      1,
      `${fault} -1\nService:MaxRuns must be a whole number from 1 to 1000000; it is 1.5\n`,
    ]);
  },
);

test('every default is a value that its setting takes', () => {
  for (const key of settingKeys) {
    const { default: value } = settingOf(key);
    if (value) expect.soft(() => read({ args: [`--Service:${key}=${value}`] }), key).not.toThrow();
  }
});

test('a key without a value is reported and keeps its default, in every source', () => {
  const { config, warnings } = read({
    file: { Service: { PlansPath: '', OrphanSeconds: ' ' } },
    env: { Service__HostName: '', Service__DataPath: ' ', CODEX_HOME: '', GITHUB_TOKEN: '', GH_TOKEN: 'a' },
    args: ['--Service:Token', '--Service:Notify='],
  });
  expect(config).toMatchObject({
    plansPath: undefined,
    dataPath: '/home/ada/.signalbox',
    hostName: hostname(),
    gitHubToken: 'a',
    token: undefined,
    notify: undefined,
  });
  expect(toolHomes(config.folderOf).get('codex')).toBe('/home/ada/.codex');
  expect(warnings).toEqual([
    'Service:PlansPath (signalbox.json) is empty and is ignored.',
    'Service:OrphanSeconds (signalbox.json) is empty and is ignored.',
    'Service:DataPath (the environment) is empty and is ignored.',
    'Service:Token (the command line) is empty and is ignored.',
    'Service:Notify (the command line) is empty and is ignored.',
  ]);
});

test('a configuration file that is there and cannot be read is never passed over', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'signalbox-config-'));
  mkdirSync(join(cwd, 'signalbox.json'));
  expect(() => readConfig({ env: {}, args: [], cwd, home: '/home/ada' })).toThrow('signalbox.json cannot be read');
  expect(read({ file: '\uFEFF{"Service":{"ObserveSeconds":7}}' }).config.observeSeconds).toBe(7);
});

test('a configuration file is a plain file of at most 64 KiB: a device, a pipe or a link is not waited for', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'signalbox-config-'));
  const file = join(cwd, 'signalbox.json');
  const readHere = () => readConfig({ env: {}, args: [], cwd, home: '/home/ada' });
  symlinkSync('/dev/zero', file);
  expect(readHere).toThrow('signalbox.json cannot be read (it is a link)');
  rmSync(file);
  execFileSync('mkfifo', [file]);
  expect(readHere).toThrow('signalbox.json cannot be read (not a regular file)');
  rmSync(file);
  writeFileSync(file, `{}${' '.repeat(65_536)}`);
  expect(readHere).toThrow('signalbox.json cannot be read (over 64 KiB)');
  const home = mkdtempSync(join(tmpdir(), 'signalbox-home-'));
  mkdirSync(join(home, '.signalbox'));
  symlinkSync('/dev/zero', join(home, '.signalbox', 'signalbox.json'));
  rmSync(file);
  expect(() => readConfig({ env: {}, args: [], cwd, home })).toThrow('cannot be read (not a regular file)');
});

test('a service that would ask itself for runs is not started; one that reads the console beside it is', () => {
  const from = (url: string, PORT = '8026,8025') => read({ env: { PORT, Service__PublisherUrl: url } }).config;
  for (const url of ['http://localhost:8026', 'http://127.0.0.1:8026/', 'http://[::1]:8026']) {
    expect.soft(() => from(url), url).toThrow('is the coordination port of this service');
  }
  expect(from('http://localhost:8025').publisherUrl).toBe('http://localhost:8025');
  expect(from('http://build.example:8026').publisherUrl).toBe('http://build.example:8026');
});

test('a webhook is called at the very address that was given; what paths are put behind loses its last slash', () => {
  const { config } = read({
    env: { Service__Notify: 'https://hooks.example/alerts/', Service__PublisherUrl: 'http://box:5525/' },
  });
  expect([config.notify, config.publisherUrl]).toEqual(['https://hooks.example/alerts/', 'http://box:5525']);
});

test('errors about a setting never reveal its secret', () => {
  const told = (given: Parameters<typeof read>[0]): string => {
    try {
      read(given);
    } catch (fault) {
      return fault instanceof BadConfig ? fault.message : `no BadConfig: ${fault}`;
    }
    return 'taken';
  };
  for (const address of [
    'postgres://ada:hush/hush@db/x',
    'postgres://ada:hush#1@db/x',
    'postgres://ada:hush@db:99999/x',
  ])
    expect.soft(told({ env: { Service__Store: address } }), address).toMatch(/^Service:Store (?!.*hush)/);
  for (const file of ['{"Service":{"Token":hush}}', '{"Service":{"Token":\'hush\'}}', 'hush', '{"Token":"a"} hush'])
    expect.soft(told({ file }), file).toMatch(/^signalbox\.json is not JSON: (?!.*hush)/s);
});

test('a line break after a secret in a file is not part of it', () => {
  const { config } = read({
    env: { Service__Token: 'long and quite random\n', Service__GitHubWebhookSecret: 'another\r\n' },
  });
  expect([config.token, config.gitHubWebhookSecret]).toEqual(['long and quite random', 'another']);
});

verifies(
  ['config:no-security-in-working-directory', 'config:user-file'],
  'what decides over trust is taken from the user, never from the working directory',
  () => {
    const securityKeys = settingKeys.filter((key) => !settingOf(key).workingDirectory);
    for (const key of securityKeys) {
      const said = `Service:${key} is ignored in the signalbox.json of the working directory`;
      expect(() => read({ file: { Service: { [key.toLowerCase()]: 'x' } } }), key).toThrow(said);
    }
    expect(securityKeys).toEqual(
      expect.arrayContaining(['GitHubUrl', 'AllowedOrigins', 'AllowedHosts', 'Token', 'OpenIngest', 'Notify']),
    );
    expect(securityKeys).toEqual(expect.arrayContaining(['NpmRegistryUrl', 'NuGetUrl', 'PublisherUrl']));
    expect(securityKeys).toEqual(
      expect.arrayContaining(['DataPath', 'Store', 'SessionsPath', 'RetentionDays', 'LicenceGate']),
    );
    for (const unknown of [{ Service: { Anything: 1 } }, { Other: { Service: 1 } }, { 'Service:DataPath:x': 1 }])
      expect(() => read({ file: unknown }), JSON.stringify(unknown)).toThrow('is not allowed in the signalbox.json');
    expect(read({ file: { Service: { PlansPath: 'plans' } } }).config.plansPath).toMatch(/plans$/);
    for (const PlansPath of ['../plans', '/etc', 'plans/../..'])
      expect(() => read({ file: { Service: { PlansPath } } }), PlansPath).toThrow('points outside it');
    const home = mkdtempSync(join(tmpdir(), 'signalbox-home-'));
    const cwd = mkdtempSync(join(tmpdir(), 'signalbox-config-'));
    mkdirSync(join(home, '.signalbox'));
    const own = {
      Service: { Token: 'a-token-of-the-user', ObserveSeconds: 5, MaxRuns: 7, SessionsPath: ['/a', '/b'] },
    };
    writeFileSync(join(home, '.signalbox', 'signalbox.json'), JSON.stringify(own));
    writeFileSync(join(cwd, 'signalbox.json'), JSON.stringify({ Service: { ObserveSeconds: 6 } }));
    const { config } = readConfig({ env: {}, args: [], cwd, home });
    expect([config.token, config.observeSeconds, config.maxRuns]).toEqual(['a-token-of-the-user', 6, 7]);
    expect(config.sessionsPaths).toEqual(['/a', '/b']);
    const inOwn = readConfig({ env: {}, args: [], cwd: join(home, '.signalbox'), home });
    expect(inOwn.config.token).toBe('a-token-of-the-user');
  },
);

verifies('token:operator-16-characters', 'a token that can be guessed is not taken', () => {
  expect(() => read({ env: { Service__Token: 'fifteen-letters' } })).toThrow('at least 16 characters');
  expect(read({ env: { Service__Token: 'sixteen-letters!' } }).config.token).toBe('sixteen-letters!');
});
