import { z } from 'zod';
import { valuesIn } from '../../kernel/count-values.ts';
import type { Fault } from '../../kernel/outcome.ts';
import { faultsOf } from '../../kernel/shape.ts';
import { importDocument, nodeDocument } from './contract.ts';

/** So much is checked between two turns of the event loop. */
const valuesPerTurn = 3_000;
const valuesOfOneNode = 3_000;
/** What a plan may have when it is sent at once. */
const nodesAtMost = 100_000;
const someNodes = z.array(nodeDocument);

/**
 * The faults of many nodes, of the first that have any: to find them all could take seconds. None where there are few, or
 * all are in order. `nextTurn` lets others go on.
 */
export async function faultsOfManyNodes(document: unknown, nextTurn: () => Promise<void>): Promise<Fault[]> {
  const nodes: unknown = typeof document === 'object' && document !== null && 'nodes' in document && document.nodes;
  if (!Array.isArray(nodes)) return [];
  if (nodes.length > nodesAtMost) return [{ path: 'nodes', message: `must be at most ${nodesAtMost}` }];
  let [from, values] = [0, 0];
  for (let at = 0; at < nodes.length; at += 1) {
    const own = valuesIn(nodes[at], valuesOfOneNode);
    if (own > valuesOfOneNode) return [{ path: `nodes[${at}]`, message: `has more than ${valuesOfOneNode} values` }];
    values += own;
    if (values < valuesPerTurn) continue;
    const faults = faultsBetween(nodes, from, at + 1);
    if (faults.length > 0) return faults;
    await nextTurn();
    [from, values] = [at + 1, 0];
  }
  return from === 0 ? [] : faultsBetween(nodes, from, nodes.length);
}

function faultsBetween(nodes: readonly unknown[], from: number, to: number): Fault[] {
  const { error } = someNodes.safeParse(nodes.slice(from, to), { reportInput: true });
  if (!error) return [];
  const issues = error.issues.map((issue) => {
    const [index, ...rest] = issue.path;
    return { ...issue, path: ['nodes', from + Number(index), ...rest] };
  });
  const unchecked = nodes.length - to;
  return [
    ...faultsOf({ issues }, importDocument),
    ...(unchecked > 0 ? [{ path: 'nodes', message: `${unchecked} more were not checked yet` }] : []),
  ];
}
