import type { Command } from 'commander';

const groups: Readonly<Record<string, readonly string[]>> = {
  'Work:': ['status', 'ready', 'claim', 'next', 'report', 'release', 'why', 'done', 'plans', 'agents', 'open'],
  'Test runs:': ['runs', 'summary', 'tests', 'run', 'import', 'event-model', 'watch'],
  'Set up:': ['start', 'console', 'demo', 'connect', 'doctor', 'service', 'upgrade', 'completion'],
  'Administer:': ['tokens', 'audit', 'backup', 'restore', 'migrate-store', 'snapshot', 'licence'],
};

/** Puts each command under the heading where a person looks for it. */
export function groupHelp(program: Command): void {
  for (const [heading, names] of Object.entries(groups))
    for (const command of program.commands) if (names.includes(command.name())) command.helpGroup(heading);
}
