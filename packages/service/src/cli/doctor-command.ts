import type { Command } from 'commander';
import type { Finding } from '../app/finding.ts';
import { platform } from '../platform/platform.ts';
import { exitCodes } from './client.ts';
import { printAnswer, table } from './table.ts';

const signs = { ok: 'ok', warning: 'warning', wrong: 'WRONG' };

/** `signalbox doctor`: finds problems on this machine and suggests fixes. */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check settings, ports, data path, store, sessions, licence and feeds, and suggest fixes')
    .option('--json', 'print the findings as JSON')
    .option('--platform', 'test the platform features Signalbox relies on; prints a report to paste into an issue')
    .option(
      '--team',
      'check the hosts that share the store (reach, trust, clocks, versions, duties) and the sign-in provider',
    )
    .allowUnknownOption()
    .action(async ({ json, platform: only, team }: { json?: boolean; platform?: boolean; team?: boolean }) => {
      const findings = only ? await proofs() : await problems(team);
      printAnswer(json, findings, () => describeFindings(findings));
      process.exitCode = findings.some(({ state }) => state === 'wrong') ? exitCodes.refused : exitCodes.done;
    });
}

function describeFindings(findings: readonly Finding[]): string {
  const rows = findings.map(({ about, state, found }) => [signs[state], about, found]);
  const steps = findings.flatMap(({ about, next }) => (next === null ? [] : [`- ${about}: ${next}`]));
  const isWell = findings.every(({ state }) => state !== 'wrong');
  const end =
    steps.length === 0
      ? isWell
        ? '\nNo problems found.\n'
        : '\nOpen an issue with this report: the checks marked WRONG failed on this machine.\n'
      : `\nWhat to do:\n${steps.join('\n')}\n`;
  return table(['', 'WHAT', 'FOUND'], rows) + end;
}

async function proofs(): Promise<Finding[]> {
  const { provePlatform } = await import('../app/prove-platform.ts');
  return (await provePlatform(platform)).map((proof) => ({ ...proof, next: null }));
}

async function problems(team = false): Promise<Finding[]> {
  const { diagnose } = await import('../app/diagnose.ts');
  return diagnose({ env: process.env, args: process.argv.slice(2), cwd: process.cwd() }, team);
}
