import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Command } from 'commander';
import { readConfig } from '../../packages/service/src/app/config.ts';
import { createLog } from '../../packages/service/src/app/log.ts';
import { startService } from '../../packages/service/src/app/service.ts';
import { addAudit } from '../../packages/service/src/cli/audit-command.ts';
import { addBackup } from '../../packages/service/src/cli/backup-command.ts';
import { CallFailed } from '../../packages/service/src/cli/client.ts';
import { addDoctor } from '../../packages/service/src/cli/doctor-command.ts';
import { addMigrateStore } from '../../packages/service/src/cli/migrate-store-command.ts';
import { addRecover } from '../../packages/service/src/cli/recover-command.ts';
import { addRestore } from '../../packages/service/src/cli/restore-command.ts';
import { addSnapshot } from '../../packages/service/src/cli/snapshot-command.ts';
import { isStartRefusal, systemRefusal } from '../../packages/service/src/cli/start-refusals.ts';
import { addUpgrade } from '../../packages/service/src/cli/upgrade-command.ts';

/* Runs in its own process, because waiting for one pipe would stop the whole test. Replaces the files of a data path by other things, one at a time, runs every command that opens them, and prints a line before and after each. */
const [, , kind = '', ...names] = process.argv;
const make: Record<string, (path: string) => unknown> = {
  pipe: (path) => execFileSync('mkfifo', [path]),
  device: (path) => symlinkSync('/dev/zero', path),
  folder: (path) => mkdirSync(path),
  // Unreadable for every user, including the superuser.
  loop: (path) => symlinkSync(path, path),
};

const root = mkdtempSync(join(tmpdir(), 'signalbox-hostile-'));
const nowhere = () => new Writable({ write: (_, __, done) => done() });
const say = (line: object) => process.stderr.write(`${JSON.stringify(line)}\n`);
process.env.HOME = root;
process.env.Service__GitHubUrl = 'http://127.0.0.1:9/';
process.env.Service__NpmRegistryUrl = 'http://127.0.0.1:9/';
process.env.PORT = '0,0';

async function start(dataPath: string): Promise<void> {
  process.env.Service__DataPath = dataPath;
  const Webhooks = JSON.stringify([{ url: 'http://127.0.0.1:9/hook' }]);
  const env = { ...process.env, Service__Webhooks: Webhooks };
  const { config } = readConfig({ env, args: [], cwd: root });
  const running = await startService(config, { log: createLog(nowhere()) });
  const plan = { plan: 'shop', nodes: [{ id: 'a' }] };
  const body = JSON.stringify(plan);
  await fetch(`${running.coordination.url}/api/plans`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  await running.stop();
}

async function command(add: (program: Command) => void, ...words: string[]): Promise<void> {
  const program = new Command('signalbox').exitOverride();
  add(program);
  process.argv = [process.argv[0] ?? '', 'signalbox', ...words];
  await program.parseAsync(process.argv);
}

/** The findings are in the printed output. */
async function printed(work: () => Promise<void>): Promise<string> {
  const { write } = process.stdout;
  let text = '';
  process.stdout.write = (piece: string | Uint8Array) => {
    text += piece;
    return true;
  };
  try {
    await work();
  } finally {
    process.stdout.write = write;
  }
  return text;
}

const outcomeOf = async (work: () => Promise<unknown>): Promise<string> => {
  try {
    const found = await work();
    return typeof found === 'string' ? found : 'done';
  } catch (fault) {
    const sentence = isStartRefusal(fault) || fault instanceof CallFailed ? fault.message : systemRefusal(fault);
    return sentence ?? `FAULT ${(fault as Error).stack}`;
  }
};

try {
  const whole = join(root, 'whole');
  await start(whole);
  const backup = join(root, 'good.tar.gz');
  await command(addBackup, 'backup', backup);
  for (const [at, name] of names.entries()) {
    const home = join(root, String(at));
    cpSync(whole, home, { recursive: true });
    for (const file of name.split(',')) {
      rmSync(join(home, file), { recursive: true, force: true });
      make[kind]?.(join(home, file));
    }
    process.env.Service__DataPath = home;
    const commands: Record<string, () => Promise<unknown>> = {
      doctor: () => printed(() => command(addDoctor, 'doctor')),
      upgrade: () => printed(() => command(addUpgrade, 'upgrade', '--check')),
      'audit verify': () => command(addAudit, 'audit', 'verify'),
      'snapshot verify': () => command(addSnapshot, 'snapshot', 'verify'),
      backup: () => command(addBackup, 'backup', join(root, `${at}.tar.gz`)),
      recover: () => command(addRecover, 'recover', '--check'),
      'migrate-store': () => command(addMigrateStore, 'migrate-store', '--to', 'postgres://127.0.0.1:1/x'),
      start: () => start(home),
      restore: () => command(addRestore, 'restore', backup, '--replace'),
      'start again': () => start(home),
    };
    for (const [word, work] of Object.entries(commands)) {
      say({ name, command: word });
      say({ name, command: word, outcome: await outcomeOf(work) });
    }
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exit(0);
