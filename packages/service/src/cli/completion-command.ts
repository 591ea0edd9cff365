import { Command } from 'commander';
import { CallFailed, createClient, exitCodes, type RestClient } from './client.ts';

/** Completions that come from the running service, requested when somebody presses Tab. */
type Known = 'nodes' | 'plans';
type CompletionWord = {
  name: string;
  description: string;
  words: CompletionWord[];
  options: string[];
  known: Known | null;
};

/** `signalbox completion bash | zsh | fish` prints a script generated from this program's commands. */
export function addCompletion(program: Command, addAll: (program: Command) => Promise<void>): void {
  program
    .command('completion <shell>')
    .description('print a completion script for bash, zsh or fish')
    .addHelpText(
      'after',
      '\nbash: source <(signalbox completion bash)\nzsh:  signalbox completion zsh > ~/.zfunc/_signalbox\nfish: signalbox completion fish | source',
    )
    .action(async (shell: string) => {
      if (shell === 'nodes' || shell === 'plans')
        return void process.stdout.write(linesOf(await namesOf(shell, createClient(undefined))));
      const all = new Command(program.name());
      await addAll(all);
      process.stdout.write(completionScript(shell, all));
    });
}

export function completionScript(shell: string, program: Command): string {
  const script = scripts[shell];
  if (!script) throw new CallFailed(`Unsupported shell ${shell}. Use bash, zsh or fish.`, exitCodes.usage);
  return script(completionWordOf(program));
}

const linesOf = (names: readonly string[]): string => names.map((name) => `${name}\n`).join('');

/** A person who presses Tab waits no longer than this. */
const patienceMs = 5_000;
const mostPlans = 50;

async function namesOf(known: Known, client: RestClient): Promise<string[]> {
  const options = { signal: AbortSignal.timeout(patienceMs) };
  const slugs = (await client.call('list_plans', {}, options)).map(({ slug }) => slug);
  if (known === 'plans') return slugs;
  const plans = await Promise.all(slugs.slice(0, mostPlans).map((plan) => client.call('get_plan', { plan }, options)));
  return plans.flatMap(({ slug, nodes }) => nodes.map(({ id }) => `${slug}/${id}`));
}

/** Keyed by the name of a command's argument. */
const knownOf: Readonly<Record<string, Known>> = { 'plan/node': 'nodes', what: 'nodes', slug: 'plans' };

const completionWordOf = (command: Command): CompletionWord => ({
  name: command.name(),
  description: command.description().replace(/['"`$\\\n]/g, ''),
  words: command.commands.map(completionWordOf),
  options: command.options.map(({ long }) => long ?? '').filter((long) => long !== ''),
  known: knownOf[command.registeredArguments[0]?.name() ?? ''] ?? null,
});

const scripts: Record<string, (program: CompletionWord) => string> = { bash, zsh, fish };

const asked = (known: Known): string => `$(signalbox completion ${known} 2>/dev/null)`;

/** The words after a command; each subcommand that takes a name is paired with its kind. */
const withKnown = ({ words }: CompletionWord) =>
  words.flatMap(({ name, known }) => (known === null ? [] : [{ name, known }]));

function bash({ words }: CompletionWord): string {
  const cases = words.map((word) => {
    const fixed = [...word.words.map(({ name }) => name), ...word.options].join(' ');
    const own = word.known === null ? '' : ` [ "$COMP_CWORD" -eq 2 ] && words="$words ${asked(word.known)}"`;
    const inner = withKnown(word).map(
      ({ name, known }) => ` [ "$COMP_CWORD-\${COMP_WORDS[2]}" = "3-${name}" ] && words="${asked(known)}"`,
    );
    return `    ${word.name}) words="${fixed}";${[own, ...inner].filter((text) => text !== '').join(';')} ;;`;
  });
  return `_signalbox() {
  local words
  case "\${COMP_WORDS[1]}" in
${cases.map((line) => line.replace('"; ;;', '" ;;')).join('\n')}
    *) words="${words.map(({ name }) => name).join(' ')}" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${words.map(({ name }) => name).join(' ')} --help --version"
  [ "\${COMP_WORDS[COMP_CWORD-1]}" = --plan ] && words="${asked('plans')}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _signalbox signalbox
`;
}

function zsh({ words }: CompletionWord): string {
  const top = words.map(({ name, description }) => `    '${name}:${description.replaceAll(':', ' ')}'`);
  const cases = words.map((word) => {
    const fixed = [...word.words.map(({ name }) => name), ...word.options].join(' ');
    const own = word.known === null ? '' : `(( CURRENT == 3 )) && compadd -- ${asked(word.known)}; `;
    const inner = withKnown(word).map(
      ({ name, known }) => `[[ "$CURRENT-\${words[3]}" == "4-${name}" ]] && compadd -- ${asked(known)}; `,
    );
    return `    ${word.name}) ${own}${inner.join('')}compadd -- ${fixed}; _files ;;`;
  });
  return `#compdef signalbox
_signalbox() {
  local -a words_of_signalbox=(
${top.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command words_of_signalbox; return; fi
  if [[ "\${words[CURRENT-1]}" == --plan ]]; then compadd -- ${asked('plans')}; return; fi
  case "\${words[2]}" in
${cases.join('\n')}
  esac
}
compdef _signalbox signalbox
`;
}

function fish({ words }: CompletionWord): string {
  const seen = (name: string) => `complete -c signalbox -n '__fish_seen_subcommand_from ${name}'`;
  const offer = (name: string, known: Known | null) =>
    known === null ? [] : [`${seen(name)} -f -a '(signalbox completion ${known} 2>/dev/null)'`];
  const lines = words.flatMap(({ name, description, words: inner, options, known }) => [
    `complete -c signalbox -n __fish_use_subcommand -a ${name} -d '${description}'`,
    ...offer(name, known),
    ...inner.flatMap((word) => [
      `${seen(name)} -a ${word.name} -d '${word.description}'`,
      ...offer(`${name}; and __fish_seen_subcommand_from ${word.name}`, word.known),
    ]),
    ...options.map((option) => `${seen(name)} -l ${option.slice(2)}`),
  ]);
  return `${lines.join('\n')}\n`;
}
