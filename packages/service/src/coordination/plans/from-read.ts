import { isObject } from '../../kernel/is-object.ts';
import { authoredNode, importDocument, nodeDocument, nodeMembers, planView } from './contract.ts';
import { nodeView } from './node-view.ts';
import { bySlug } from './plan-text.ts';

type Raw = Readonly<Record<string, unknown>>;
type Read = { raw: Raw; ignored: string[] };

/** The members of a view that cannot be written. */
const addedBy = (view: { shape: object }, written: object): ReadonlySet<string> =>
  new Set(Object.keys(view.shape).filter((member) => !(member in written)));

const addedToPlan = addedBy(planView, { ...importDocument.shape, slug: true, dryRun: true });
const addedToNodeOfPlan = addedBy(authoredNode, nodeDocument.shape);
const addedToNode = addedBy(nodeView, { ...nodeMembers, plan: true, node: true, id: true, ref: true });

function without(added: ReadonlySet<string>, raw: Raw): Read {
  const ignored = Object.keys(raw).filter((member) => added.has(member));
  return ignored.length === 0
    ? { raw, ignored }
    : { raw: Object.fromEntries(Object.entries(raw).filter(([member]) => !added.has(member))), ignored };
}

/** Turns a plan as GET returns it into the document that PUT accepts. In such an answer its name is `slug`. */
export function documentFromRead(call: Raw): Read {
  const { document } = call;
  if (!isObject(document)) return { raw: call, ignored: [] };
  const { raw, ignored } = without(addedToPlan, document);
  const { nodes } = raw;
  const read = Array.isArray(nodes) && addedToNodeOfPlan.size > 0 ? { ...raw, nodes: nodes.map(nodeOfPlan) } : raw;
  return { raw: { ...call, document: bySlug(read) }, ignored };
}

const nodeOfPlan = (node: unknown): unknown => (isObject(node) ? without(addedToNodeOfPlan, node).raw : node);

/** A node as GET returns it: there its dependencies are objects with a state. */
export function nodeFromRead(call: Raw): Read {
  const { raw, ignored } = without(addedToNode, call);
  if (!Array.isArray(raw.dependsOn)) return { raw, ignored };
  const dependsOn = raw.dependsOn.map((one) => (isObject(one) && typeof one.ref === 'string' ? one.ref : one));
  return { raw: { ...raw, dependsOn }, ignored };
}
