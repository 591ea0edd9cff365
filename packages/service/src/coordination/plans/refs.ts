import { keyOfRef, type NodeKey, type NodeRef, nodeRef } from '../../kernel/streams.ts';
import { keyOf } from './key.ts';

export type Ref = { plan: string; node: string };

/** A reference as it is written in a plan's own document. */
export function parseRef(text: string, own: string): Ref {
  const slash = text.indexOf('/');
  return slash < 0 ? { plan: own, node: text } : { plan: text.slice(0, slash), node: text.slice(slash + 1) };
}

export const refText = ({ plan, node }: Ref): NodeRef => nodeRef(plan, node);

/** The key of a node, unique over all plans. */
export const refKey = (text: string, own: string): NodeKey => keyOfRef(refText(parseRef(text, own)));

/** `<own plan>/<node>` becomes `<node>`; anything else stays. */
export function shorten(text: string, own: string): string {
  const { plan, node } = parseRef(text, own);
  return keyOf(plan) === keyOf(own) ? node : text;
}
