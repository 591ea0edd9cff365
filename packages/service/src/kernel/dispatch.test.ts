import { expect, test } from 'vitest';
import { z } from 'zod';
import { type AnyCommand, commandFor, withNodeRef } from './command.ts';
import { type DispatchContext, dispatch, type Licence, type LicenceGate } from './dispatch.ts';
import type { EventLog, RememberedAnswer } from './event-log.ts';
import { isRefusal, type Refusal, RefusedError, refuse } from './outcome.ts';

type Ctx = DispatchContext & { ran?: string[] };
const command = commandFor<Ctx>();

const write = (run: (ctx: Ctx) => object | Refusal | Promise<object>, more: object = {}) =>
  command({
    name: 'write',
    description: 'Writes.',
    effect: 'write',
    scope: 'work',
    gate: 'workLoop',
    input: z.strictObject({
      agent: z.string().min(1),
      size: z.int().optional(),
      labels: z.array(z.strictObject({ name: z.string() })).optional(),
    }),
    output: z.object({}),
    examples: [],
    run,
    ...more,
  });

const direct = { transport: 'direct' } as const;
const code = (answer: unknown) => (isRefusal(answer) ? answer.code : undefined);
const licensed = (state: Licence['state'], mode: LicenceGate = 'workLoop') => ({
  licence: () => ({ mode, licence: { state, edition: null, expiresAt: null, holder: null } }),
});

test('the licence is checked before the shape, and the shape before anything runs', async () => {
  const ran: string[] = [];
  const one = write(() => ({ ran: ran.push('x') }));
  expect(code(await dispatch(one, licensed('missing'), {}, direct))).toBe('licence_required');
  expect(code(await dispatch(one, licensed('valid'), {}, direct))).toBe('agent_required');
  expect(ran).toEqual([]);
});

test('all faults are reported together, with readable paths and suggestions for typos', async () => {
  const answer = (await dispatch(
    write(() => ({})),
    {},
    { agent: 'a', size: 'big', labels: [{ nam: 'x' }] },
    direct,
  )) as Refusal;
  expect(answer.code).toBe('invalid_request');
  expect(answer.errors?.map(({ path }) => path)).toEqual(['size', 'labels[0].name', 'labels[0].nam']);
  expect(answer.errors?.[1]?.message).toBe('is required');
  expect(answer.errors?.[2]?.message).toBe('unknown member; did you mean name?');
});

test('a missing agent has its own code, even among other faults', async () => {
  for (const agent of [undefined, '', 7])
    expect(
      code(
        await dispatch(
          write(() => ({})),
          {},
          { agent, size: 'x' },
          direct,
        ),
      ),
    ).toBe('agent_required');
});

test('a thrown refusal is answered like any other', async () => {
  const one = write(() => {
    throw new RefusedError(refuse('store_unavailable', 'Away.'));
  });
  expect(code(await dispatch(one, {}, { agent: 'a' }, direct))).toBe('store_unavailable');
});

/** A log that only remembers answers; the stores test what a call with a key writes. */
function remembering(kept = new Map<string, RememberedAnswer>()) {
  const log = { rememberedAnswer: async (key: string) => kept.get(key) } as EventLog;
  const keys = { inProgress: new Map(), digest: (text: string) => text };
  return { kept, ctx: { log, idempotency: keys } satisfies Ctx };
}
const keyed = { transport: 'direct', key: 'k' } as const;

test('a second call with a key waits for the first, and another call under that key is a conflict', async () => {
  const { ctx, kept } = remembering();
  let finish = (_: object) => {};
  let runs = 0;
  const one = write(() => {
    runs += 1;
    return new Promise<object>((resolve) => {
      finish = resolve;
    });
  });
  const first = dispatch(one, ctx, { agent: 'a' }, keyed);
  const second = dispatch(one, ctx, { agent: 'a' }, keyed);
  await new Promise(setImmediate);
  expect(code(await dispatch(one, ctx, { agent: 'b' }, keyed))).toBe('idempotency_conflict');
  kept.set('k', { key: 'k', fingerprint: 'write {"agent":"a"}', at: '', answer: { n: 1 } });
  finish({ n: 1 });
  expect([await first, await second, runs]).toEqual([{ n: 1 }, { n: 1 }, 1]);
});

test('a written call with a lost answer is recalled or refused, and never runs twice', async () => {
  const { ctx, kept } = remembering();
  kept.set('k', { key: 'k', fingerprint: 'write {"agent":"a"}', at: '', answer: null });
  const never = () => expect.fail('it ran again');
  expect(code(await dispatch(write(never), ctx, { agent: 'a' }, keyed))).toBe('idempotency_conflict');
  expect(await dispatch(write(never, { recall: () => ({ n: 2 }) }), ctx, { agent: 'a' }, keyed)).toEqual({ n: 2 });
});

test('a call with a lost answer runs again if its effect has ended or repeating it is harmless', async () => {
  const { ctx, kept } = remembering();
  for (const more of [{ recall: () => undefined, replays: () => true }, { commitsRepeatedly: true }]) {
    kept.set('k', { key: 'k', fingerprint: 'write {"agent":"a"}', at: '', answer: null });
    const again = write(() => refuse('node_done', 'it ran'), more);
    expect(code(await dispatch(again, ctx, { agent: 'a' }, keyed))).toBe('node_done');
  }
});

test('a call that is refused because the same call was written through another host gets the answer of that call', async () => {
  const { ctx, kept } = remembering();
  const late = write(() => {
    kept.set('k', { key: 'k', fingerprint: 'write {"agent":"a"}', at: '', answer: { n: 1 } });
    return refuse('node_exists', 'the twin was first');
  });
  expect(await dispatch(late, ctx, { agent: 'a' }, keyed)).toEqual({ n: 1 });
});

test('the order of members does not change a call', async () => {
  const { ctx, kept } = remembering();
  kept.set('k', { key: 'k', fingerprint: 'write {"agent":"a","size":1}', at: '', answer: { n: 3 } });
  expect(
    await dispatch(
      write(() => ({})),
      ctx,
      { size: 1, agent: 'a' },
      keyed,
    ),
  ).toEqual({ n: 3 });
});

test('prepared input is validated, its faults are reported, and input that is not an object is refused', async () => {
  const prepare = async (_: Ctx, raw: Readonly<Record<string, unknown>>) =>
    raw.agent === 'faulty'
      ? { faults: [{ path: 'agent', message: 'is faulty' }] }
      : { raw: { ...raw, agent: `${raw.agent} read` } };
  const one = command({
    ...write(() => ({})),
    prepare,
    run: (_, { agent }) => ({ agent }),
  });
  expect(await dispatch(one, licensed('valid'), { agent: 'ada' }, direct)).toEqual({ agent: 'ada read' });
  const refused = (raw: unknown) => dispatch(one, licensed('valid'), raw, direct) as Promise<Refusal>;
  expect((await refused({ agent: 'faulty' })).errors).toEqual([{ path: 'agent', message: 'is faulty' }]);
  const forged = [{ path: 'x', message: 'made up by the caller' }];
  for (const raw of [forged, null, 'text']) {
    const { errors } = await refused(raw);
    expect(errors).toHaveLength(1);
    expect(JSON.stringify(errors)).not.toContain('made up');
  }
});

test('members that were read during preparation are added without another check once the rest is valid', async () => {
  const one = command({
    ...write(() => ({})),
    prepare: async () => ({ raw: { agent: 'ada' }, complete: (input) => ({ ...input, size: -1 }) }),
    run: (_, { agent, size }) => ({ agent, size }),
  });
  expect(await dispatch(one, licensed('valid'), { agent: 'no matter' }, direct)).toEqual({ agent: 'ada', size: -1 });
});

const shape = (members: z.ZodRawShape) => ({ input: z.strictObject(members) }) as unknown as AnyCommand<never>;
const claim = shape({ plan: z.string(), node: z.string(), agent: z.string() });

test('a ref gives plan and node, as does a node that names its plan', () => {
  const named = { raw: { plan: 'shop', node: 'parser', agent: 'ada' } };
  expect(withNodeRef(claim, { ref: 'shop/parser', agent: 'ada' })).toEqual(named);
  expect(withNodeRef(claim, { node: 'shop/parser', agent: 'ada' })).toEqual(named);
  expect(withNodeRef(claim, { ref: 'shop/parser', plan: 'Shop', agent: 'ada' })).toEqual(named);
  expect(withNodeRef(claim, { plan: 'shop', node: 'parser', ref: null, agent: 'ada' })).toEqual(named);
});

test('a contradicting or malformed ref is refused and never partly used', () => {
  const faults = (raw: object) => (withNodeRef(claim, { ...raw }) as { faults?: { message: string }[] }).faults?.[0];
  expect(faults({ ref: 'shop/parser', node: 'lexer' })?.message).toContain('differs from node');
  for (const ref of ['parser', 'a/b/c', '', 7, '/x']) expect(faults({ ref })?.message).toContain('plan/node');
});

test('a command without a node takes no ref', () => {
  const raw = { ref: 'shop/parser' };
  expect(withNodeRef(shape({ plan: z.string() }), raw)).toEqual({ raw });
});
