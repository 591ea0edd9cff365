import { z } from 'zod';
import type { Fault } from '../../kernel/outcome.ts';
import { faultsOf } from '../../kernel/shape.ts';
import { importDocument, nodeDocument } from './contract.ts';

/** So many are checked between two turns of the event loop. */
const nodesPerTurn = 500;
/** What a plan may have when it is sent at once. */
const nodesAtMost = 100_000;
const someNodes = z.array(nodeDocument);

/**
 * The faults of a long list of nodes, of the first that have any: to find them all could take seconds. None for a list
 * that is short, or in order. `nextTurn` lets others go on.
 */
export async function faultsOfManyNodes(document: unknown, nextTurn: () => Promise<void>): Promise<Fault[]> {
  const nodes: unknown = typeof document === 'object' && document !== null && 'nodes' in document && document.nodes;
  if (!Array.isArray(nodes) || nodes.length <= nodesPerTurn) return [];
  if (nodes.length > nodesAtMost) return [{ path: 'nodes', message: `must be at most ${nodesAtMost}` }];
  for (let from = 0; from < nodes.length; from += nodesPerTurn) {
    const read = someNodes.safeParse(nodes.slice(from, from + nodesPerTurn), { reportInput: true });
    if (!read.success) return [...faultsFrom(read.error, from), ...unchecked(nodes.length - from - nodesPerTurn)];
    await nextTurn();
  }
  return [];
}

function faultsFrom({ issues }: z.core.$ZodError, from: number): Fault[] {
  const placed = issues.map((issue) => {
    const [index, ...rest] = issue.path;
    return { ...issue, path: ['nodes', from + Number(index), ...rest] };
  });
  return faultsOf({ issues: placed }, importDocument);
}

const unchecked = (count: number): Fault[] =>
  count > 0 ? [{ path: 'nodes', message: `${count} more were not checked yet` }] : [];
