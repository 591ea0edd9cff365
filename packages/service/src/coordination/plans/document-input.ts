import { z } from 'zod';
import type { Prepared } from '../../kernel/command.ts';
import type { Fault } from '../../kernel/outcome.ts';
import { faultsOf, inMember, readList } from '../../kernel/shape.ts';
import { duplicateIds, importDocument, type NodeDocument, nodeDocument, type PlanDocument } from './contract.ts';
import { readPlanText, withPosition } from './plan-text.ts';
import type { PlanTexts } from './ports.ts';

/** A plan document as an object, or as YAML or JSON text whose faults name line and column. */
export const documentInput = z
  .unknown()
  .transform((sent, ctx): PlanDocument => {
    const read = typeof sent === 'string' ? documentFrom(sent) : fromObject(sent);
    if (!Array.isArray(read)) return read;
    for (const { path, message } of read) {
      ctx.issues.push({ code: 'custom', path: path === '' ? [] : [path], message, input: sent });
    }
    return z.NEVER;
  })
  .describe('Plan document, or its YAML text');

/** The document in a YAML text, or its faults with their positions. */
export function documentFrom(text: string): PlanDocument | Fault[] {
  const read = readPlanText(text);
  return 'faults' in read ? read.faults.map(withPosition) : read.document;
}

function fromObject(sent: unknown): PlanDocument | Fault[] {
  const read = importDocument.safeParse(sent, { reportInput: true });
  return read.success ? read.data : faultsOf(read.error, importDocument);
}

/** Longer texts take many milliseconds, in which no other call is answered: 17 KB of nested lists took 140 on a busy machine. */
export const longText = 4 * 1024;

type DocumentContext = { texts?: PlanTexts | undefined; yieldIfBusy?: () => Promise<void> | undefined };
type RawCall = Readonly<Record<string, unknown>>;
type WithDocument<Document> = { document: Document };

/** The same call with its long text or many nodes already read; other calls continue meanwhile. */
export async function withDocumentRead<Input extends WithDocument<PlanDocument>>(
  ctx: DocumentContext,
  raw: RawCall,
): Promise<Prepared<Input>> {
  const { document } = raw;
  if (typeof document !== 'string') return withNodesRead(ctx, raw);
  if (!ctx.texts || document.length < longText) return { raw };
  const read = await ctx.texts.read(document);
  return Array.isArray(read) ? { faults: read.map(inDocument) } : { raw: { ...raw, document: read } };
}

const manyNodes = {
  member: 'nodes',
  item: nodeDocument,
  document: importDocument,
  mostItems: 100_000,
  mostValues: 3_000,
  leastValues: 3,
};

export async function withNodesRead<Document extends PlanDocument, Input extends WithDocument<Document>>(
  { yieldIfBusy }: DocumentContext,
  raw: RawCall,
): Promise<Prepared<Input>> {
  const { document } = raw;
  if (typeof document !== 'object' || document === null || !('nodes' in document) || !yieldIfBusy) return { raw };
  const read = await readList(document.nodes, manyNodes, yieldIfBusy);
  if (!read) return { raw };
  const faults = 'faults' in read ? read.faults : faultsOfDuplicates(read.items);
  if ('faults' in read || faults.length > 0) return { faults: faults.map(inDocument) };
  const nodes = read.items;
  return {
    raw: { ...raw, document: { ...document, nodes: [] } },
    complete: (input) => ({ ...input, document: { ...input.document, nodes } }),
  };
}

const faultsOfDuplicates = (nodes: readonly NodeDocument[]): Fault[] =>
  duplicateIds(nodes).map(({ index, message }) => ({ path: `nodes[${index}].id`, message }));

const inDocument = inMember('document');
