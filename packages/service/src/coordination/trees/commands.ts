import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import type { DispatchContext } from '../../kernel/dispatch.ts';
import { maxPaths } from './changes.ts';
import { changes, mergeRehearsals, overlaps } from './contract.ts';
import type { OverlapBoard } from './ports.ts';

export type TreesContext = DispatchContext & { overlapBoard: OverlapBoard };

const command = commandFor<TreesContext>();

const repository = z.string().max(4096).optional().describe('owner/name');

const listOverlaps = command({
  name: 'list_overlaps',
  description: 'Files that two live working trees change, or one tree and the default branch: future conflicts.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  input: z.strictObject({ repository, ref: z.string().max(400).optional().describe('plan/node') }),
  output: overlaps,
  rest: { method: 'GET', path: '/api/overlaps', query: ['repository', 'ref'] },
  examples: [
    { title: 'all of them', input: {} },
    { title: 'those of a repository', input: { repository: 'acme/shop' } },
    { title: 'those of the tree that works on a node', input: { ref: 'shop/lexer' } },
  ],
  run: ({ overlapBoard }, filter) => ({ items: overlapBoard.list(filter) }),
});

const listChanges = command({
  name: 'list_changes',
  description:
    'Which files the live working trees of each repository change against its default branch. Paths and line numbers, never contents.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  mcp: false,
  input: z.strictObject({
    repository,
    limit: z.int().min(1).max(maxPaths).optional().describe('Maximum number of files of each tree'),
  }),
  output: changes,
  rest: { method: 'GET', path: '/api/changes', query: ['repository', 'limit'] },
  examples: [
    { title: 'of all repositories', input: {} },
    { title: 'of one', input: { repository: 'acme/shop' } },
  ],
  run: ({ overlapBoard }, input) => ({ items: overlapBoard.changes(input.repository, input.limit ?? maxPaths) }),
});

const rehearseMerges = command({
  name: 'rehearse_merges',
  description:
    'Which files would conflict if the branches of live working trees were merged now: pairs that overlap, or those named. Uncommitted changes are left out; nothing is written into a repository.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  mcp: false,
  input: z.strictObject({
    repository,
    of: z.string().max(8192).optional().describe('Only these trees, by node, branch or root, separated by commas'),
  }),
  output: mergeRehearsals,
  rest: { method: 'GET', path: '/api/overlaps/merges', query: ['repository', 'of'] },
  examples: [
    { title: 'all pairs that overlap', input: {} },
    { title: 'two of them', input: { of: 'shop/lexer,shop/refund' } },
  ],
  run: ({ overlapBoard }, filter) => overlapBoard.rehearse(filter),
});

export const treeCommands = [listOverlaps, listChanges, rehearseMerges] as const;
