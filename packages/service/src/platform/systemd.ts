import { isAbsolute, join } from 'node:path';
import { type Printed, runProgram } from './run-program.ts';
import type { KeptProgram, KeptState, NoServiceManager, ServiceManager, User } from './service-manager.ts';

const systemctl = (...args: string[]) => ({ program: 'systemctl', args: ['--user', ...args] });

/** This user's instance of systemd, if it runs and answers. */
export async function findSystemd(user: User): Promise<ServiceManager | NoServiceManager> {
  const none = reasonAgainst(await runProgram('systemctl', ['--user', 'show-environment']));
  return none === null ? systemdOf(user) : { kind: 'none', reason: none };
}

export function reasonAgainst(printed: Printed): string | null {
  if (!('trouble' in printed)) return null;
  const otherwise = 'Run "signalbox start" from a container or an init script instead.';
  if (printed.trouble === 'missing') return `This system has no systemd. ${otherwise}`;
  return `systemd has no session for this user. Log in as the user itself, or type "sudo loginctl enable-linger $USER" once. ${otherwise}`;
}

export function systemdOf({ home, env }: User): ServiceManager {
  const configured = env.XDG_CONFIG_HOME;
  const config = configured && isAbsolute(configured) ? configured : join(home, '.config');
  const folder = join(config, 'systemd', 'user');
  const unit = (name: string) => `${name}.service`;
  return {
    kind: 'systemd',
    envPath: (name) => join(config, name, 'service.env'),
    envText,
    readEnv,
    definitionPath: (name) => join(folder, unit(name)),
    definition,
    install: (name) => [systemctl('daemon-reload'), systemctl('enable', '--now', unit(name))],
    uninstall: (name) => [systemctl('disable', '--now', unit(name))],
    afterRemoval: [systemctl('daemon-reload')],
    restart: (name) => [systemctl('daemon-reload'), systemctl('restart', unit(name))],
    stateOf: async (name) => {
      const asked = ['--user', 'show', unit(name), '-p', 'LoadState,ActiveState,SubState,MainPID,Result'];
      return stateIn(await runProgram('systemctl', asked));
    },
    logs: (name, { lines, follow }) => ({
      program: 'journalctl',
      args: ['--user', '-u', unit(name), '-n', String(lines), ...(follow ? ['-f'] : ['--no-pager'])],
    }),
    beyondLogin: 'loginctl enable-linger',
  };
}

function definition({ description, command, folder, env, envFile }: KeptProgram): string {
  const variables =
    envFile === null
      ? Object.entries(env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`)
      : [`EnvironmentFile=${withoutSpecifiers(envFile)}`];
  const [program, ...args] = command;
  return `${[
    '[Unit]',
    `Description=${withoutSpecifiers(description)}`,
    // A user's systemd may not have this target; then restarts wait for a database that is not up yet.
    'After=network-online.target',
    'Wants=network-online.target',
    '',
    '[Service]',
    `ExecStart=${[quoted(program), ...args.map((word) => quoted(word.replaceAll('$', '$$$$')))].join(' ')}`,
    `WorkingDirectory=${withoutSpecifiers(folder)}`,
    ...variables,
    'Environment="SIGNALBOX_KEPT_BY=systemd"',
    'Restart=on-failure',
    // A damaged store or a wrong setting would be the same after a restart.
    'RestartPreventExitStatus=78',
    'RestartSec=2',
    'TimeoutStopSec=15',
    '',
    '[Install]',
    'WantedBy=default.target',
  ].join('\n')}\n`;
}

/** `NAME="value"`, where a backslash escapes. */
const envText = (env: KeptProgram['env']): string =>
  Object.entries(env)
    .map(([name, value]) => `${name}="${value.replace(/[\\"$`]/g, '\\$&').replace(/[\r\n]+/g, ' ')}"\n`)
    .join('');

function readEnv(text: string): Record<string, string> {
  const lines = text.split('\n').flatMap((line) => {
    const own = /^Environment=(.*)$/.exec(line.trim())?.[1]?.replace(/^"(.*)"$/, '$1') ?? line.trim();
    const [, name, value] = /^([A-Za-z_]\w*)="?(.*?)"?$/.exec(own) ?? [];
    return name === undefined || value === undefined
      ? []
      : [[name, value.replace(/\\(.)/g, '$1').replaceAll('%%', '%')] as const];
  });
  return Object.fromEntries(lines.filter(([name]) => isSetting(name)));
}

const isSetting = (name: string): boolean => /^(PORT|CONSOLE_PORT|HOST|NODE_EXTRA_CA_CERTS|Service__\w+)$/i.test(name);

/** `%` begins a specifier in every value of a unit. */
const withoutSpecifiers = (text: string): string => text.replaceAll('%', '%%').replace(/[\r\n]+/g, ' ');

/** One argument in a unit: in double quotes, with backslash escapes. */
const quoted = (text: string): string =>
  `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('%', '%%')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')}"`;

/** `systemctl show` also answers for an unknown unit, with LoadState=not-found. */
export function stateIn(printed: Printed): KeptState {
  if ('trouble' in printed) return { state: 'unknown', why: 'systemctl did not answer' };
  const facts = new Map(printed.text.split('\n').map((line) => cut(line.trim())));
  if (facts.get('LoadState') === 'not-found') return { state: 'not installed' };
  const [active, result] = [facts.get('ActiveState') ?? 'unknown', facts.get('Result')];
  if (active === 'active') return { state: 'running', pid: Number(facts.get('MainPID')) || null };
  const why = [active, facts.get('SubState'), result === 'success' ? undefined : result];
  return { state: 'stopped', why: why.filter(Boolean).join(', ') };
}

function cut(line: string): [string, string] {
  const at = line.indexOf('=');
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}
