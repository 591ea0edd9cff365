import { describe, expect, test } from 'vitest';
import { createAnnouncements } from '../../service/src/kernel/announcements.ts';
import type { AnyCommand } from '../../service/src/kernel/command.ts';
import { type DispatchContext, dispatch } from '../../service/src/kernel/dispatch.ts';
import { Document } from '../../service/src/kernel/document.ts';
import { isRefusal } from '../../service/src/kernel/outcome.ts';
import { host, specs } from '../testing/wallets.ts';
import type { EventModelView, StoredSource } from './contract.ts';
import { createEventModelQueries } from './queries.ts';
import { commands, type EventModelContext } from './registry.ts';
import { openSources, type SourceStore } from './sources.ts';
import { createLatestVerdicts } from './verdicts.ts';

/** Keeps what a disk would keep; `full` makes every write fail. */
function memoryStore() {
  const kept = new Map<string, StoredSource>();
  const disk = { full: false };
  const store: SourceStore = {
    load: async () => [...kept.values()],
    write: async (stored) => {
      if (disk.full) throw new Error('ENOSPC');
      kept.set(stored.source.toLowerCase(), stored);
    },
    remove: async (source) => void kept.delete(source.toLowerCase()),
  };
  return { kept, disk, store };
}

async function console(store = memoryStore()) {
  const announced: unknown[] = [];
  const announcements = createAnnouncements();
  announcements.listen((message) => announced.push(message));
  const clock = { wall: () => 0, monotonic: () => 0, every: () => () => undefined };
  const { sources } = await openSources(store.store);
  const verdicts = createLatestVerdicts();
  const eventModel = createEventModelQueries({ sources, verdicts: () => verdicts, announcements, clock });
  const ctx: EventModelContext & DispatchContext = { eventModel };
  const byName = new Map<string, AnyCommand<EventModelContext & DispatchContext>>(
    commands.map((each) => [each.name, each]),
  );
  const call = (name: string, input: object = {}) => dispatch(byName.get(name)!, ctx, input, { transport: 'direct' });
  const push = (source: string, document: unknown) => call('push_event_model', { source, document });
  const model = () => call('event_model') as Promise<EventModelView>;
  return { call, push, model, announced, ...store };
}

const orders = <Item>(items: readonly Item[]): Item[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));

describe('pushing', () => {
  test('two sources in both orders, and four in all twenty-four, give the same bytes', async () => {
    const four = [
      ['host', host],
      ['specs', specs],
      [
        'board',
        {
          name: 'Wallets',
          slices: [{ name: 'CreditWallet', domain: 'Payments', triggerLabel: 'Kiosk' }, { name: 'CloseWallet' }],
        },
      ],
      [
        'Audit',
        { name: 'Wallets', slices: [{ name: 'CreditWallet', provenance: 'Derived', commandType: { name: 'Credit' } }] },
      ],
    ] as const;
    for (const sources of [four.slice(0, 2), four]) {
      const served = new Set<string>();
      for (const order of orders(sources)) {
        const { push, model } = await console();
        for (const [source, descriptor] of order) await push(source, descriptor);
        served.add(JSON.stringify(await model()));
      }
      expect(served.size).toBe(1);
    }
  });

  test('replaces that source only, with any casing of its name', async () => {
    const { push, model } = await console();
    await push('host', { name: 'W', slices: [{ name: 'Old' }, { name: 'Kept' }] });
    await push('specs', { name: 'W', slices: [{ name: 'Spec' }] });
    await push('HOST', { name: 'W', slices: [{ name: 'Kept' }] });
    const { slices, sources } = await model();
    expect(slices.map(({ name }) => name)).toEqual(['Kept', 'Spec']);
    expect(sources).toEqual([
      { source: 'HOST', pushedAt: '1970-01-01T00:00:00.000Z', slices: 1 },
      { source: 'specs', pushedAt: '1970-01-01T00:00:00.000Z', slices: 1 },
    ]);
  });

  test('another model is refused with both names, the current sources and how to remove them; nothing changes', async () => {
    const first = await console();
    await first.push('host', host);
    await first.push('specs', specs);
    const before = JSON.stringify(await first.model());
    for (const { push, model, announced } of [first, await console(first)]) {
      const announcedBefore = announced.length;
      for (const source of ['third', 'host']) {
        const refusal = await push(source, { name: 'Orders' });
        expect(refusal).toMatchObject({
          code: 'model_name_mismatch',
          extra: { serving: 'Wallets', pushed: 'Orders', sources: ['host', 'specs'] },
        });
        const { detail } = refusal as { detail: string };
        expect(detail).toContain('names the model Orders, but the console serves Wallets');
        expect(detail).toContain('DELETE /api/event-model/host and DELETE /api/event-model/specs');
      }
      expect(JSON.stringify(await model())).toBe(before);
      expect(announced.length).toBe(announcedBefore);
    }
    expect(first.kept.size).toBe(2);
  });

  test('the deletes that a refusal names let another model in', async () => {
    const { push, call, model } = await console();
    await push('host', host);
    expect(await call('remove_event_model', { source: 'HOST' })).toEqual({});
    expect(await call('event_model')).toMatchObject({ code: 'no_event_model' });
    expect(await push('third', { name: 'Orders' })).toEqual({});
    expect(await model()).toMatchObject({ name: 'Orders', slices: [] });
  });

  test('of two concurrent pushes that name different models exactly one succeeds', async () => {
    const { push, model } = await console();
    const answers = await Promise.all([push('a', { name: 'A' }), push('b', { name: 'B' })]);
    expect(answers.filter(isRefusal)).toHaveLength(1);
    expect((await model()).name).toBe('A');
  });

  test('a full disk refuses the push and changes nothing', async () => {
    const { push, call, disk, model, announced } = await console();
    await push('host', host);
    disk.full = true;
    expect(await push('specs', specs)).toMatchObject({ code: 'store_unavailable' });
    expect((await model()).sources).toHaveLength(1);
    expect(announced).toHaveLength(1);
    disk.full = false;
    expect(await push('specs', specs)).toEqual({});
    expect(await call('slice_coverage')).toMatchObject({ summary: { slices: 4 } });
  });

  test.each([
    ['nothing at all', 'host', null, ''],
    ['no name', 'host', { slices: [] }, 'name'],
    ['a name that is blank', 'host', { name: ' ' }, 'name'],
    ['two slices of one name', 'host', { name: 'W', slices: [{ name: 'A' }, { name: 'A ' }] }, 'slices[1].name'],
    ['a source with a path in it', '../host', { name: 'W' }, 'source'],
    ['a source with a dot', 'a.b', { name: 'W' }, 'source'],
    ['a source that is an address', 'Coverage', { name: 'W' }, 'source'],
    ['a source that is far too long', 'a'.repeat(101), { name: 'W' }, 'source'],
  ])('%s is refused by its path and stores nothing', async (_, source, document, path) => {
    const { push, kept, announced } = await console();
    expect(await push(source, document)).toMatchObject({ code: 'invalid_request', errors: [{ path }] });
    expect(kept.size).toBe(0);
    expect(announced).toEqual([]);
  });

  test('bare, is the source default', async () => {
    const { call, model } = await console();
    await call('push_default_event_model', { document: { name: 'W' } });
    expect((await model()).sources).toMatchObject([{ source: 'default' }]);
  });

  test('announces the changed model; removing an unknown source announces nothing', async () => {
    const { push, call, announced } = await console();
    await push('host', host);
    expect(await call('remove_event_model', { source: 'nobody' })).toEqual({});
    expect(announced).toEqual([{ type: 'event_model_changed', data: { name: 'Wallets' } }]);
  });

  test('removing an invalid source name is refused', async () => {
    const { call } = await console();
    expect(await call('remove_event_model', { source: 'a.b' })).toMatchObject({ code: 'not_found' });
    expect(await call('remove_event_model', { source: 'diagram' })).toMatchObject({ code: 'invalid_request' });
  });
});

describe('reading', () => {
  test('elements, edges and links in a push are ignored and computed', async () => {
    const { push, model } = await console();
    await push('host', {
      ...host,
      links: [{ fromSlice: 'x' }],
      slices: host.slices.map((slice) => ({ ...slice, elements: [], edges: [{}] })),
    });
    const served = await model();
    expect(served.slices[0]?.elements.length).toBeGreaterThan(3);
    expect(served.links).toHaveLength(4);
  });

  test('pushing back what was served changes nothing', async () => {
    const { push, model } = await console();
    await push('host', host);
    const before = await model();
    expect(await push('host', before)).toEqual({});
    expect(await model()).toEqual(before);
  });

  test('filters by slice, domain and chapter ignore case; no match is an empty list', async () => {
    const { push, call } = await console();
    await push('host', host);
    await push('specs', specs);
    const names = async (narrow: object) =>
      ((await call('event_model', narrow)) as EventModelView).slices.map(({ name }) => name);
    expect(await names({ slice: 'creditwallet' })).toEqual(['CreditWallet']);
    expect(await names({ domain: 'BANKING', chapter: 'funding' })).toEqual(['CreditWallet', 'WalletBalances']);
    expect(await names({ slice: 'nothing' })).toEqual([]);
    const narrowed = (await call('event_model', { slice: 'NotifyOwner' })) as EventModelView;
    expect(narrowed.links.map(({ fromSlice }) => fromSlice)).toEqual(['CreditWallet', 'WalletBalances']);
    expect(narrowed.aggregates).toEqual([]);
  });

  test('an unknown diagram format is refused, even before any push', async () => {
    const { call } = await console();
    expect(await call('event_model_diagram', { format: 'png' })).toMatchObject({ code: 'unknown_format' });
    expect(await call('event_model_diagram')).toMatchObject({ code: 'no_event_model' });
  });

  test('every answer fits its published schema', async () => {
    const { push, call } = await console();
    await push('host', host);
    await push('specs', specs);
    for (const { name, output, effect } of commands) {
      if (effect === 'read') expect(output.safeParse(await call(name)).error).toBeUndefined();
    }
    expect(await call('event_model_diagram')).toBeInstanceOf(Document);
  });

  test.each(
    commands.flatMap((command) => command.examples.map((example) => [command.name, example.title, example] as const)),
  )('%s: %s', async (name, _, { given = [], input, refused }) => {
    const { call } = await console();
    for (const [before, beforeInput] of given) expect(isRefusal(await call(before, beforeInput))).toBe(false);
    const answer = await call(name, input);
    expect(isRefusal(answer) ? answer.code : undefined).toBe(refused);
  });
});
