import type { Command } from 'commander';
import type { MergeRehearsals, Overlap } from '../coordination/trees/contract.ts';
import { CallFailed, createClient, exitCodes, urlOption } from './client.ts';
import { agoText } from './figures.ts';
import { jsonText, table } from './table.ts';

type Options = { url?: string; json?: boolean; repository?: string; merge?: boolean };

/** `signalbox overlaps`: lists files that will conflict, over REST from a running service. */
export function addOverlaps(program: Command): void {
  program
    .command('overlaps')
    .description('list files that live working trees change at the same time, or that the default branch changed since')
    .argument(
      '[ref...]',
      'only those of the working tree of this node, such as shop/lexer; with --merge, several nodes and branches',
    )
    .option('--repository <owner/name>', 'only those of this repository')
    .option('--merge', 'rehearse merging the trees that overlap, or the named ones, and list files that would conflict')
    .option('--json', 'print JSON')
    .option(...urlOption)
    .action(async (refs: readonly string[], { url, json, repository, merge }: Options) => {
      const client = createClient(url);
      const filter = repository === undefined ? {} : { repository };
      const print = (answer: object, text: string) => void process.stdout.write(json ? jsonText(answer) : text);
      if (merge) {
        const of = refs.length === 0 ? {} : { of: refs.join(',') };
        const rehearsed = await client.call('rehearse_merges', { ...filter, ...of });
        return print(rehearsed, mergesText(rehearsed));
      }
      if (refs.length > 1) throw new CallFailed('Name one node, or several with --merge.', exitCodes.usage);
      const [ref] = refs;
      const found = await client.call('list_overlaps', { ...filter, ...(ref !== undefined && { ref }) });
      print(found, overlapsText(found.items));
    });
}

const kindTexts: Readonly<Record<Overlap['kind'], string>> = {
  same_lines: 'same lines',
  same_file: 'same file',
  behind: 'behind',
};

const nameOf = ({ claims, branch, root }: Overlap['trees'][number]): string =>
  claims.length > 0 ? claims.join(', ') : (branch ?? root);

export function overlapsText(items: readonly Overlap[]): string {
  if (items.length === 0) return 'No overlaps: live working trees change different files.\n';
  return table(
    ['OVERLAP', 'PATH', 'REPOSITORY', 'SINCE', 'TREES'],
    items.map(({ kind, path, repository, since, trees }) => [
      kindTexts[kind],
      path,
      repository,
      agoText(since, Date.now()),
      trees.map(nameOf).join(' · '),
    ]),
  );
}

export function mergesText({ items, left }: MergeRehearsals): string {
  if (items.length === 0) return 'No live working trees to merge: none overlap, or none has that name.\n';
  const lines = items.flatMap(({ trees, result, reason, conflicts }) => {
    const names = trees.map(nameOf).join(' and ');
    const open = trees.filter(({ uncommitted }) => uncommitted > 0);
    const leftOut = open.map((tree) => `${nameOf(tree)} (${tree.uncommitted})`).join(', ');
    return [
      result === 'clean'
        ? `The commits of ${names} merge without a conflict.`
        : result === 'conflicts'
          ? `${names} conflict in ${conflicts.length} ${conflicts.length === 1 ? 'file' : 'files'}:`
          : `${names}: unknown, ${reason}.`,
      ...conflicts.map((path) => `  ${path}`),
      ...(open.length > 0 ? [`  Not included: uncommitted files of ${leftOut}.`] : []),
    ];
  });
  const more = left > 0 ? [`${left} more pairs were not rehearsed. Name the trees to rehearse them.`] : [];
  return [...lines, ...more].map((line) => `${line}\n`).join('');
}
