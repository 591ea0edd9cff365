import { z } from 'zod';
import type { Fault } from '../../kernel/outcome.ts';
import { faultsOf } from '../../kernel/shape.ts';
import { importDocument, type PlanDocument } from './contract.ts';
import { placed, readPlanText } from './plan-text.ts';

/** A plan document as an object, or as YAML or JSON text whose faults name line and column. */
export const documentInput = z
  .unknown()
  .transform((sent, ctx): PlanDocument => {
    const read = typeof sent === 'string' ? fromText(sent) : fromObject(sent);
    if (!Array.isArray(read)) return read;
    for (const { path, message } of read) {
      ctx.issues.push({ code: 'custom', path: path === '' ? [] : [path], message, input: sent });
    }
    return z.NEVER;
  })
  .describe('Plan document, or its YAML text');

function fromText(text: string): PlanDocument | Fault[] {
  const read = readPlanText(text);
  return 'faults' in read ? read.faults.map(placed) : read.document;
}

function fromObject(sent: unknown): PlanDocument | Fault[] {
  const read = importDocument.safeParse(sent, { reportInput: true });
  return read.success ? read.data : faultsOf(read.error, importDocument);
}
