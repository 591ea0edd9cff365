import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Files that count as missing are replaced together. */
const names = [
  ...['signalbox.sqlite', 'signalbox.sqlite-wal', 'runs.sqlite', 'webhooks.sqlite', 'lock.sqlite'],
  ...['verdicts.ndjson', 'audit.ndjson', 'runs'],
  [
    ...['snapshot', 'owner.json', 'program.json', 'host.json', 'last-backup.json', 'revoked.json', 'logins.json'],
    ...['observers.json', 'archive', 'event-models', 'audit-2026-01-01T00-00-00.000Z.ndjson'],
  ].join(),
];
const commands = [
  ...['doctor', 'upgrade', 'audit verify', 'snapshot verify', 'backup', 'recover', 'migrate-store'],
  ...['start', 'restore', 'start again'],
];
/** The commands that need the file, and so must name what is in its place. */
const needed: Record<string, readonly string[]> = {
  'signalbox.sqlite': ['doctor', 'upgrade', 'backup', 'recover', 'migrate-store', 'start'],
  'signalbox.sqlite-wal': ['doctor', 'upgrade', 'backup', 'recover', 'migrate-store', 'start'],
  'runs.sqlite': ['doctor', 'upgrade', 'backup', 'recover', 'start'],
  'webhooks.sqlite': ['doctor', 'upgrade', 'start'],
  'lock.sqlite': ['doctor', 'upgrade', 'backup', 'recover', 'migrate-store', 'start', 'restore'],
  'verdicts.ndjson': ['doctor', 'upgrade', 'start'],
  'audit.ndjson': ['doctor', 'upgrade', 'audit verify', 'start'],
};

type Line = { name: string; command: string; outcome?: string };

test.each([
  ['pipe', 'is a pipe, not a regular file'],
  ['device', 'is a device, not a regular file'],
  ['folder', 'is a folder, not a regular file'],
  ['loop', 'cannot be read (ELOOP)'],
])(
  'every command that opens the data path ends with a %s in place of any of its files, and names it where it needs the file',
  async (kind, what) => {
    const script = join(import.meta.dirname, 'hostile-commands.ts');
    const child = spawn(process.execPath, [script, kind, ...names], { stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = once(child, 'close');
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    try {
      await ended;
    } finally {
      child.kill('SIGKILL');
    }
    const lines: Line[] = text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    const outcomes = lines.filter(({ outcome }) => outcome !== undefined);
    expect(outcomes.map(({ name, command }) => `${name} ${command}`)).toEqual(
      names.flatMap((name) => commands.map((command) => `${name} ${command}`)),
    );
    expect(outcomes.filter(({ outcome }) => outcome?.startsWith('FAULT'))).toEqual([]);
    const missing = kind === 'loop' ? /cannot be read|is missing|has no/ : what;
    for (const { name, command, outcome = '' } of outcomes)
      if (needed[name]?.includes(command)) expect.soft(outcome, `${name} ${command}`).toMatch(missing);
    // Files that are in the backup are good again after a restore.
    const again = outcomes.filter(
      ({ name, command }) => command === 'start again' && /^(signalbox|runs)\.sqlite/.test(name),
    );
    expect(again.map(({ outcome }) => outcome)).toEqual(again.map(() => 'done'));
  },
  300_000,
);
