import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { launchdOf, stateIn as launchdState } from './launchd.ts';
import type { ServiceManager } from './service-manager.ts';
import { reasonAgainst, systemdOf, stateIn as systemdState } from './systemd.ts';

const systemd = systemdOf({ home: '/home/ada', env: {}, uid: 1000 });
const launchd = launchdOf({ home: '/Users/ada', env: {}, uid: 501 });
const program = {
  name: 'signalbox',
  description: 'Signalbox, 100 % local',
  command: ['/opt/node 24/bin/node', '/opt/a "b"\\c/main.js', '--Service:Token=$x%h'],
  folder: '/home/ada/my work',
  env: { PORT: '5526,5525', NAME: 'A & <B>' },
  envFile: null,
} as const;

const typed = (lines: readonly { program: string; args: readonly string[] }[]) =>
  lines.map(({ program, args }) => [program, ...args].join(' '));

const commandsOf = (manager: ServiceManager) => ({
  install: typed(manager.install('signalbox')),
  uninstall: typed([...manager.uninstall('signalbox'), ...manager.afterRemoval]),
  logs: typed([manager.logs('signalbox', { lines: 50, follow: true })]),
});

test("systemd runs a user's program by a unit in the folder of the user", () => {
  expect(systemd.definitionPath('signalbox')).toBe('/home/ada/.config/systemd/user/signalbox.service');
  expect(systemdOf({ home: '/home/ada', env: { XDG_CONFIG_HOME: '/c' }, uid: 1 }).definitionPath('signalbox')).toBe(
    '/c/systemd/user/signalbox.service',
  );
  expect(commandsOf(systemd)).toEqual({
    install: ['systemctl --user daemon-reload', 'systemctl --user enable --now signalbox.service'],
    uninstall: ['systemctl --user disable --now signalbox.service', 'systemctl --user daemon-reload'],
    logs: ['journalctl --user -u signalbox.service -n 50 -f'],
  });
});

test('a systemd unit passes every argument unchanged', () => {
  expect(systemd.definition({ ...program, envFile: '/home/ada/100 %/service.env' })).toContain(
    'EnvironmentFile=/home/ada/100 %%/service.env\n',
  );
  expect(systemd.definition(program).split('\n')).toEqual(
    expect.arrayContaining([
      'Description=Signalbox, 100 %% local',
      'ExecStart="/opt/node 24/bin/node" "/opt/a \\"b\\"\\\\c/main.js" "--Service:Token=$$x%%h"',
      'WorkingDirectory=/home/ada/my work',
      'Environment="PORT=5526,5525"',
      'Environment="NAME=A & <B>"',
    ]),
  );
});

test('settings survive a round trip through their file, and those of an earlier unit are read', () => {
  const env = { PORT: '5526,5525', Service__Token: 'a "b" $c \\d' };
  expect(systemd.readEnv(systemd.envText(env))).toEqual(env);
  expect(systemd.readEnv(systemd.definition({ ...program, env: { PORT: '7,8', Service__Store: 'x%y' } }))).toEqual({
    PORT: '7,8',
    Service__Store: 'x%y',
  });
  expect(launchd.readEnv(launchd.definition({ ...program, env: { Service__Notify: 'http://a/?b&c' } }))).toEqual({
    Service__Notify: 'http://a/?b&c',
  });
});

test("launchd runs a user's agent by a property list", () => {
  expect(launchd.definitionPath('signalbox')).toBe('/Users/ada/Library/LaunchAgents/local.signalbox.plist');
  expect(commandsOf(launchd)).toEqual({
    install: [
      'launchctl enable gui/501/local.signalbox',
      'launchctl bootstrap gui/501 /Users/ada/Library/LaunchAgents/local.signalbox.plist',
    ],
    uninstall: ['launchctl bootout gui/501/local.signalbox'],
    logs: ['tail -n 50 -F /Users/ada/Library/Logs/signalbox.log'],
  });
  expect(launchd.definition(program)).toContain('<string>--Service:Token=$x%h</string>');
  expect(launchd.definition(program)).toContain('<key>NAME</key>\n<string>A &amp; &lt;B&gt;</string>');
  expect(propertiesIn(launchd.definition(program))).toMatchObject({
    Label: 'local.signalbox',
    ProgramArguments: [...program.command],
    WorkingDirectory: program.folder,
    EnvironmentVariables: program.env,
    RunAtLoad: true,
  });
});

/** A property list, read as XML by a parser that refuses what is not well-formed. */
function propertiesIn(text: string): unknown {
  const stack: { kind: string; items: unknown[]; text: string }[] = [{ kind: 'plist', items: [], text: '' }];
  const parser = new SaxesParser();
  parser.on('error', (fault) => {
    throw fault;
  });
  parser.on('opentag', ({ name }) => stack.push({ kind: name, items: [], text: '' }));
  parser.on('text', (piece) => {
    const [last] = stack.slice(-1);
    if (last) last.text += piece;
  });
  parser.on('closetag', () => {
    const { kind, items, text: said } = stack.pop() as (typeof stack)[number];
    const pairs = () => items.flatMap((key, at) => (at % 2 === 0 ? [[String(key), items[at + 1]] as const] : []));
    const value =
      kind === 'dict'
        ? Object.fromEntries(pairs())
        : kind === 'array'
          ? items
          : kind === 'plist'
            ? items[0]
            : kind === 'true' || kind === 'false'
              ? kind === 'true'
              : kind === 'integer'
                ? Number(said)
                : said;
    stack.at(-1)?.items.push(value);
  });
  parser.write(text).close();
  return stack[0]?.items[0];
}

const unit = (...lines: string[]) => ({ text: `${lines.join('\n')}\n` });

test.each([
  [
    'running',
    systemdState(unit('LoadState=loaded', 'ActiveState=active', 'SubState=running', 'MainPID=77', 'Result=success')),
    { state: 'running', pid: 77 },
  ],
  [
    'failed',
    systemdState(unit('MainPID=0', 'Result=exit-code', 'LoadState=loaded', 'ActiveState=failed', 'SubState=failed')),
    { state: 'stopped', why: 'failed, failed, exit-code' },
  ],
  ['unknown to systemd', systemdState(unit('LoadState=not-found', 'ActiveState=inactive')), { state: 'not installed' }],
  [
    'unknown because systemctl does not answer',
    systemdState({ trouble: 'missing' }),
    { state: 'unknown', why: 'systemctl did not answer' },
  ],
  [
    'running',
    launchdState(unit('gui/501/local.signalbox = {', '\tstate = running', '\tpid = 77', '\t\tstate = active', '}')),
    { state: 'running', pid: 77 },
  ],
  [
    'ended',
    launchdState(unit('gui/501/local.signalbox = {', '\tstate = not running', '\tlast exit code = 1', '}')),
    { state: 'stopped', why: 'not running, last exit code 1' },
  ],
  ['unknown to launchd', launchdState(unit('Could not find service "local.x" in domain')), { state: 'not installed' }],
])("a program's reported state is %s", (_word, told, state) => {
  expect(told).toEqual(state);
});

test('without a user instance of systemd, the message explains what to do', () => {
  expect(reasonAgainst({ text: 'HOME=/home/ada\n' })).toBeNull();
  expect(reasonAgainst({ trouble: 'missing' })).toMatch(/no systemd.*signalbox start/);
  expect(reasonAgainst({ trouble: 'failed' })).toMatch(/loginctl enable-linger/);
});
