import type { Command } from 'commander';
import { asOption } from './agent-name.ts';
import { urlOption } from './client.ts';

/** `signalbox prompt` for help and completion only; `bin.ts` runs the command itself before loading any of this. */
export function addPrompt(program: Command): void {
  program
    .command('prompt')
    .description('print one line for a shell prompt, tmux or a status line: the nodes you hold and what needs you')
    .option(...asOption)
    .option(...urlOption)
    .option('--wait <ms>', 'how long to wait for an answer (default: 90)')
    .action(async (options: { as?: string; url?: string; wait?: string }) => {
      const { promptLine } = await import('./prompt-line.ts');
      const line = await promptLine(options, process.env, Date.now());
      if (line !== '') process.stdout.write(`${line}\n`);
    });
}
