import { z } from 'zod';
import type { Fault } from '../../kernel/outcome.ts';
import { faultsOf } from '../../kernel/shape.ts';
import { faultsOfManyNodes } from './check-nodes.ts';
import { importDocument, type PlanDocument } from './contract.ts';
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

/** What YAML text says, or what is wrong with it and where. */
export function documentFrom(text: string): PlanDocument | Fault[] {
  const read = readPlanText(text);
  return 'faults' in read ? read.faults.map(withPosition) : read.document;
}

function fromObject(sent: unknown): PlanDocument | Fault[] {
  const read = importDocument.safeParse(sent, { reportInput: true });
  return read.success ? read.data : faultsOf(read.error, importDocument);
}

/** Longer texts take many milliseconds, in which nobody else would be answered: 17 KB of nested lists took 140 on a busy machine. */
export const longText = 4 * 1024;

type Prepared = { raw: object } | { faults: readonly Fault[] };

type Reading = { texts?: PlanTexts | undefined };
type RawCall = Readonly<Record<string, unknown>>;

/** The same call with its long text read elsewhere. */
export async function withDocumentRead(ctx: Reading, raw: RawCall): Promise<Prepared> {
  const { document } = raw;
  if (typeof document !== 'string') return withNodesChecked(ctx, raw);
  if (!ctx.texts || document.length < longText) return { raw };
  const read = await ctx.texts.read(document);
  return Array.isArray(read) ? { faults: read.map(inDocument) } : { raw: { ...raw, document: read } };
}

/** The same call, once its many nodes are looked through. */
export async function withNodesChecked({ texts }: Reading, raw: RawCall): Promise<Prepared> {
  const faults = texts ? await faultsOfManyNodes(raw.document, texts.nextTurn) : [];
  return faults.length === 0 ? { raw } : { faults: faults.map(inDocument) };
}

const inDocument = ({ path, message }: Fault): Fault => ({
  path: path === '' ? 'document' : `document.${path}`,
  message,
});
