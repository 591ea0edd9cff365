import type { Command } from 'commander';
import { CallFailed, exitCodes } from './client.ts';

type CompletionWord = { name: string; description: string; words: CompletionWord[]; options: string[] };

/** `signalbox completion bash | zsh | fish` prints a script made of the very words this program has. */
export function addCompletion(program: Command): void {
  program
    .command('completion <shell>')
    .description('print a completion script for bash, zsh or fish')
    .addHelpText(
      'after',
      '\nbash: source <(signalbox completion bash)\nzsh:  signalbox completion zsh > ~/.zfunc/_signalbox\nfish: signalbox completion fish | source',
    )
    .action((shell: string) => {
      const script = scripts[shell];
      if (!script) throw new CallFailed(`No completion for ${shell}. Use bash, zsh or fish.`, exitCodes.usage);
      process.stdout.write(script(completionWordOf(program)));
    });
}

const completionWordOf = (command: Command): CompletionWord => ({
  name: command.name(),
  description: command.description().replace(/['"`$\\\n]/g, ''),
  words: command.commands.map(completionWordOf),
  options: command.options.map(({ long }) => long ?? '').filter((long) => long !== ''),
});

const scripts: Record<string, (program: CompletionWord) => string> = { bash, zsh, fish };

function bash({ words }: CompletionWord): string {
  const cases = words.map(
    ({ name, words: inner, options }) =>
      `    ${name}) words="${[...inner.map((word) => word.name), ...options].join(' ')}" ;;`,
  );
  return `_signalbox() {
  local words
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="${words.map(({ name }) => name).join(' ')}" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${words.map(({ name }) => name).join(' ')} --help --version"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _signalbox signalbox
`;
}

function zsh({ words }: CompletionWord): string {
  const top = words.map(({ name, description }) => `    '${name}:${description.replaceAll(':', ' ')}'`);
  const cases = words.map(
    ({ name, words: inner, options }) =>
      `    ${name}) compadd -- ${[...inner.map((word) => word.name), ...options].join(' ')}; _files ;;`,
  );
  return `#compdef signalbox
_signalbox() {
  local -a words_of_signalbox=(
${top.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command words_of_signalbox; return; fi
  case "\${words[2]}" in
${cases.join('\n')}
  esac
}
compdef _signalbox signalbox
`;
}

function fish({ words }: CompletionWord): string {
  const lines = words.flatMap(({ name, description, words: inner, options }) => [
    `complete -c signalbox -n __fish_use_subcommand -a ${name} -d '${description}'`,
    ...inner.map(
      (word) =>
        `complete -c signalbox -n '__fish_seen_subcommand_from ${name}' -a ${word.name} -d '${word.description}'`,
    ),
    ...options.map((option) => `complete -c signalbox -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`),
  ]);
  return `${lines.join('\n')}\n`;
}
