import { isObject } from '../../kernel/is-object.ts';
import { type Fault, isRefusal, type Refusal } from '../../kernel/outcome.ts';
import { valuesIn } from '../../kernel/shape.ts';
import { checkReferences } from './check-references.ts';
import type { PlansContext } from './context.ts';
import type { NodeDocument } from './contract.ts';
import { spellingOf } from './normalise.ts';

/** Longer documents are checked in two parts, so that the second does not delay other calls. */
const mostValues = 10_000;

/**
 * The faults of a document's shape with the ids of their nodes, together with those of its references and cycles, so
 * that its author can correct everything at once.
 */
export function explainDocument(
  { plans }: Pick<PlansContext, 'plans'>,
  raw: unknown,
  faults: readonly Fault[],
): readonly Fault[] {
  if (!isObject(raw) || !isObject(raw.document) || !Array.isArray(raw.document.nodes)) return faults;
  const written: readonly unknown[] = raw.document.nodes;
  const named = faults.map((fault) => withNode(fault, written));
  // With a misspelt id every reference to its node would be reported too.
  if (valuesIn(written, mostValues) > mostValues || written.some((node) => idOf(node) === undefined)) return named;
  const slug = [raw.document.plan, raw.plan].find((name) => typeof name === 'string') ?? '';
  const nodes = written.map(looselyRead);
  const kept = raw.mode === 'seed' ? [...(plans.find(slug)?.nodes.values() ?? [])] : [];
  const refused = checkReferences(plans, slug, nodes, { nodes, ids: spellingOf([...kept, ...nodes]) });
  return isRefusal(refused) ? [...named, ...faultsIn(refused)] : named;
}

const faultsIn = ({ errors, detail }: Refusal): readonly Fault[] => errors ?? [{ path: 'nodes', message: detail }];

function withNode(fault: Fault, nodes: readonly unknown[]): Fault {
  const [, at] = /^(?:document\.)?nodes\[(\d+)\]/.exec(fault.path) ?? [];
  const node = at === undefined ? undefined : idOf(nodes[Number(at)]);
  return node === undefined ? fault : { ...fault, node: node.slice(0, 200) };
}

const idOf = (node: unknown): string | undefined =>
  isObject(node) && typeof node.id === 'string' && node.id !== '' ? node.id : undefined;

/**
 * The id and references of a node alone; a reference that is not a text becomes a placeholder, so that the others keep
 * their index.
 */
function looselyRead(node: unknown): NodeDocument {
  const id = idOf(node) ?? '';
  const refs = isObject(node) && Array.isArray(node.dependsOn) ? node.dependsOn : [];
  return { id, dependsOn: refs.map((ref: unknown) => (typeof ref === 'string' ? ref : nothing)) };
}

/** Looks like a node of another plan, which may be added later. */
const nothing = '-/-';
