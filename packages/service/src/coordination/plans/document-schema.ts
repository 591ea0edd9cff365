import { z } from 'zod';
import { planDocument } from './contract.ts';

/** The plan document for editors, as JSON Schema. */
export function planDocumentSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(planDocument, { io: 'input' });
  return {
    $schema,
    title: 'Signalbox plan',
    description: 'A plan: nodes, what they depend on, and what proves them done.',
    ...schema,
  };
}
