import { join } from 'node:path';
import { type Printed, runProgram } from './run-program.ts';
import type { KeptProgram, KeptState, ServiceManager, User } from './service-manager.ts';

/** The exit code of `launchctl print` for an unknown label. */
const unknownLabel = 113;

/** launchd runs a user's agents in the domain of the graphical session, which begins at login. */
export function launchdOf({ home, uid }: User): ServiceManager {
  const domain = `gui/${uid}`;
  const label = (name: string) => `local.${name}`;
  const definitionPath = (name: string) => join(home, 'Library', 'LaunchAgents', `${label(name)}.plist`);
  const logPath = (name: string) => join(home, 'Library', 'Logs', `${name}.log`);
  const launchctl = (...args: string[]) => ({ program: 'launchctl', args });
  const load = (name: string) => launchctl('bootstrap', domain, definitionPath(name));
  const unload = (name: string) => launchctl('bootout', `${domain}/${label(name)}`);
  return {
    kind: 'launchd',
    envPath: () => null,
    envText: () => '',
    readEnv,
    definitionPath,
    definition: (program) => definition(program, label(program.name), logPath(program.name)),
    install: (name) => [launchctl('enable', `${domain}/${label(name)}`), load(name)],
    uninstall: (name) => [unload(name)],
    afterRemoval: [],
    restart: (name) => [unload(name), load(name)],
    stateOf: async (name) =>
      stateIn(await runProgram('launchctl', ['print', `${domain}/${label(name)}`], { exitCodes: [0, unknownLabel] })),
    logs: (name, { lines, follow }) => ({
      program: 'tail',
      args: ['-n', String(lines), ...(follow ? ['-F'] : []), logPath(name)],
    }),
    beyondLogin: null,
  };
}

function definition({ command, folder, env }: KeptProgram, label: string, log: string): string {
  const variables = Object.entries({ ...env, SIGNALBOX_KEPT_BY: 'launchd' }).flatMap(([name, value]) => [
    keyed(name),
    text(value),
  ]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    ...[keyed('Label'), text(label)],
    ...[keyed('ProgramArguments'), '<array>', ...command.map(text), '</array>'],
    ...[keyed('WorkingDirectory'), text(folder)],
    ...[keyed('EnvironmentVariables'), '<dict>', ...variables, '</dict>'],
    ...[keyed('RunAtLoad'), '<true/>'],
    ...[keyed('KeepAlive'), '<dict>', keyed('SuccessfulExit'), '<false/>', '</dict>'],
    ...[keyed('ExitTimeOut'), '<integer>15</integer>'],
    ...[keyed('StandardOutPath'), text(log)],
    ...[keyed('StandardErrorPath'), text(log)],
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

/** The variables in an existing definition. */
const readEnv = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<key>(PORT|CONSOLE_PORT|HOST|Service__\w+)<\/key>\s*<string>([^<]*)<\/string>/gi)].map(
      ([, name = '', value = '']) => [
        name,
        value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
      ],
    ),
  );

const keyed = (name: string): string => `<key>${escaped(name)}</key>`;
const text = (value: string): string => `<string>${escaped(value)}</string>`;
const escaped = (value: string): string =>
  value
    .replace(/\p{Cc}/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** Lines such as `state = running` and `pid = 501`; those of the job itself come first. */
export function stateIn(printed: Printed): KeptState {
  if ('trouble' in printed) return { state: 'unknown', why: 'launchctl did not answer' };
  const facts = printed.text.split('\n').map((line) => line.trim().split(' = '));
  const fact = (name: string) => facts.find(([key]) => key === name)?.[1];
  const state = fact('state');
  if (state === undefined) return { state: 'not installed' };
  if (state === 'running') return { state: 'running', pid: Number(fact('pid')) || null };
  const code = fact('last exit code');
  return { state: 'stopped', why: code === undefined ? state : `${state}, last exit code ${code}` };
}
