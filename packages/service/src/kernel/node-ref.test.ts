import { expect, test } from 'vitest';
import { z } from 'zod';
import type { AnyCommand } from './command.ts';
import { withNodeRef } from './node-ref.ts';

const shape = (members: z.ZodRawShape) => ({ input: z.strictObject(members) }) as unknown as AnyCommand<never>;
const claim = shape({ plan: z.string(), node: z.string(), agent: z.string() });

test('a ref stands for plan and node, as does a node that names its plan', () => {
  const named = { raw: { plan: 'shop', node: 'parser', agent: 'ada' } };
  expect(withNodeRef(claim, { ref: 'shop/parser', agent: 'ada' })).toEqual(named);
  expect(withNodeRef(claim, { node: 'shop/parser', agent: 'ada' })).toEqual(named);
  expect(withNodeRef(claim, { ref: 'shop/parser', plan: 'Shop', agent: 'ada' })).toEqual(named);
  expect(withNodeRef(claim, { plan: 'shop', node: 'parser', ref: null, agent: 'ada' })).toEqual(named);
});

test('a ref that contradicts, or is none, is refused and never half used', () => {
  const faults = (raw: object) => (withNodeRef(claim, { ...raw }) as { faults?: { message: string }[] }).faults?.[0];
  expect(faults({ ref: 'shop/parser', node: 'lexer' })?.message).toContain('differs from node');
  for (const ref of ['parser', 'a/b/c', '', 7, '/x']) expect(faults({ ref })?.message).toContain('plan/node');
});

test('a command without a node takes no ref', () => {
  const raw = { ref: 'shop/parser' };
  expect(withNodeRef(shape({ plan: z.string() }), raw)).toEqual({ raw });
});
