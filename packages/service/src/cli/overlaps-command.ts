import type { Command } from 'commander';
import type { Overlap } from '../coordination/trees/contract.ts';
import { createClient, urlOption } from './client.ts';
import { table } from './table.ts';
import { agoText } from './time-text.ts';

type Options = { url?: string; json?: boolean; repository?: string };

/** `signalbox overlaps`: what will collide, over REST to a running service. */
export function addOverlaps(program: Command): void {
  program
    .command('overlaps')
    .description('files that live working trees change at the same time, or that the default branch changed since')
    .argument('[ref]', 'only those of the tree that works on this node, such as shop/lexer')
    .option('--repository <owner/name>', 'only those of this repository')
    .option('--json', 'print JSON')
    .option(...urlOption)
    .action(async (ref: string | undefined, { url, json, repository }: Options) => {
      const found = await createClient(url).call('list_overlaps', {
        ...(repository !== undefined && { repository }),
        ...(ref !== undefined && { ref }),
      });
      process.stdout.write(json ? `${JSON.stringify(found, null, 2)}\n` : overlapsText(found.items));
    });
}

const kindTexts: Readonly<Record<Overlap['kind'], string>> = {
  same_lines: 'same lines',
  same_file: 'same file',
  behind: 'behind',
};

export function overlapsText(items: readonly Overlap[]): string {
  if (items.length === 0) return 'No overlaps: live working trees change different files.\n';
  return table(
    ['OVERLAP', 'PATH', 'REPOSITORY', 'SINCE', 'TREES'],
    items.map(({ kind, path, repository, since, trees }) => [
      kindTexts[kind],
      path,
      repository,
      agoText(since, Date.now()),
      trees.map(({ claims, branch, root }) => (claims.length > 0 ? claims.join(', ') : (branch ?? root))).join(' · '),
    ]),
  );
}
