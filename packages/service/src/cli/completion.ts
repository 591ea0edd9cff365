import type { Command } from 'commander';
import { CallFailed, exitCodes } from './client.ts';

type Word = { name: string; says: string; words: Word[]; options: string[] };

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
      if (!script) throw new CallFailed(`There is no completion for ${shell}. Use bash, zsh or fish.`, exitCodes.usage);
      process.stdout.write(script(wordOf(program)));
    });
}

const wordOf = (command: Command): Word => ({
  name: command.name(),
  says: command.description().replace(/['"`$\\\n]/g, ''),
  words: command.commands.map(wordOf),
  options: command.options.map(({ long }) => long ?? '').filter((long) => long !== ''),
});

const scripts: Record<string, (program: Word) => string> = { bash, zsh, fish };

function bash({ words }: Word): string {
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

function zsh({ words }: Word): string {
  const top = words.map(({ name, says }) => `    '${name}:${says.replaceAll(':', ' ')}'`);
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

function fish({ words }: Word): string {
  const lines = words.flatMap(({ name, says, words: inner, options }) => [
    `complete -c signalbox -n __fish_use_subcommand -a ${name} -d '${says}'`,
    ...inner.map(
      (word) => `complete -c signalbox -n '__fish_seen_subcommand_from ${name}' -a ${word.name} -d '${word.says}'`,
    ),
    ...options.map((option) => `complete -c signalbox -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`),
  ]);
  return `${lines.join('\n')}\n`;
}
