import { freeSlugOf } from '../shared/slug-of.ts';

/** How the lines of a pasted list depend on each other. */
export type LineOrder = 'none' | 'sequence' | 'indented';

export type OutlineNode = { id: string; title: string; dependsOn: string[] };

/** `- [ ] 3. Title` is the title alone. */
const titleIn = (line: string): string =>
  line
    .trim()
    .replace(/^(?:[-*+•]|\d+[.)])\s+/, '')
    .replace(/^\[[ xX]?\]\s*/, '')
    .trim()
    .slice(0, 500);

const depthOf = (line: string): number => /^\s*/.exec(line.replaceAll('\t', '    '))?.[0].length ?? 0;

/** An outline has indented lines; a plain list has no dependencies. */
export const usualOrder = (text: string): LineOrder => (isIndented(text) ? 'indented' : 'none');

const isIndented = (text: string): boolean =>
  text.split('\n').some((line, at) => at > 0 && line.trim() !== '' && depthOf(line) > 0);

/** One node per line. Indented lines are parts of the line above them, which waits for them. */
export function parseOutline(text: string, order: LineOrder, isTaken: (id: string) => boolean): OutlineNode[] {
  const used = new Set<string>();
  const open: { depth: number; node: OutlineNode }[] = [];
  const nodes: OutlineNode[] = [];
  for (const line of text.split(/\r?\n/)) {
    const title = titleIn(line);
    if (title === '') continue;
    const id = freeSlugOf(title, (slug) => used.has(slug) || isTaken(slug));
    used.add(id);
    const before = nodes.at(-1);
    const node: OutlineNode = { id, title, dependsOn: order === 'sequence' && before ? [before.id] : [] };
    nodes.push(node);
    if (order !== 'indented') continue;
    const depth = depthOf(line);
    while (open.length > 0 && (open.at(-1)?.depth ?? 0) >= depth) open.pop();
    open.at(-1)?.node.dependsOn.push(id);
    open.push({ depth, node });
  }
  return nodes;
}
