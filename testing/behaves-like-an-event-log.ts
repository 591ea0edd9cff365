import { describe, expect, test } from 'vitest';
import type {
  Append,
  Decide,
  EventLog,
  NewEvent,
  Projection,
  RecordedEvent,
} from '../packages/service/src/kernel/event-log.ts';
import { isRefusal, refuse } from '../packages/service/src/kernel/outcome.ts';

/** A log to try, and a way to let time pass for it. */
export type OpenedLog = { log: EventLog; pass(ms: number): void | Promise<void> };

const happened = (what: string): NewEvent => ({ type: what, data: { what }, by: 'ada' });
const appending = (...append: Append[]): Decide<string> => {
  return () => ({ append, answer: () => 'done' });
};
const to = (stream: string, ...what: string[]): Append => ({ stream, events: what.map(happened) });

/** Counts events by stream: the smallest projection that can be wrong. */
function counting(): Projection & { of(stream: string): number; seen: number[] } {
  const counts = new Map<string, number>();
  const seen: number[] = [];
  return {
    seen,
    of: (stream) => counts.get(stream) ?? 0,
    apply({ stream, sequence }) {
      counts.set(stream, (counts.get(stream) ?? 0) + 1);
      seen.push(sequence);
    },
    reset() {
      counts.clear();
      seen.length = 0;
    },
  };
}

/** The rules of the port. Every store passes the same sentences. */
export function behavesLikeAnEventLog(store: string, open: () => OpenedLog | Promise<OpenedLog>): void {
  const using = (body: (log: EventLog, pass: OpenedLog['pass']) => Promise<void>) => async () => {
    const { log, pass } = await open();
    try {
      await body(log, pass);
    } finally {
      await log.close();
    }
  };

  describe(`${store}: appending`, () => {
    test(
      'an event carries who, when, where, an id and its provenance',
      using(async (log) => {
        let decided = '';
        await log.commit((now) => {
          decided = now;
          const seen: NewEvent = { ...happened('b'), provenance: 'observed' };
          return { append: [{ stream: 's', topic: 't', events: [happened('a'), seen] }], answer: () => null };
        });
        const [a, b] = await log.read('s');
        expect(a).toEqual({
          sequence: 1,
          stream: 's',
          version: 1,
          topic: 't',
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          type: 'a',
          at: decided,
          by: 'ada',
          provenance: 'asserted',
          data: { what: 'a' },
        });
        expect(b).toMatchObject({ sequence: 2, version: 2, type: 'b', at: decided, provenance: 'observed' });
        expect(b?.id).not.toBe(a?.id);
        expect(decided).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      }),
    );

    test(
      'names that no store can keep are folded as they are kept, and read again',
      using(async (log) => {
        const folded: RecordedEvent[] = [];
        await log.attach({ apply: (event) => void folded.push(event), reset: () => folded.splice(0) });
        const odd = 'a\ud800b\0c\udfff';
        const events = [{ type: 'said', data: { what: odd }, by: odd }];
        for (const topic of [odd, 'plain']) await log.commit(appending({ stream: odd, topic, events }));
        const kept = await log.read(odd);
        expect(kept).toEqual(folded);
        const by = 'a\ufffdb\ufffdc\ufffd';
        expect(kept).toMatchObject([
          { stream: by, version: 1, topic: by, by, data: { what: odd } },
          { stream: by, version: 2, topic: 'plain', by, data: { what: odd } },
        ]);
        expect(await log.readTopic(odd)).toEqual(kept.slice(0, 1));
      }),
    );

    test(
      'several streams are appended to at once and each counts its own versions',
      using(async (log) => {
        await log.commit(appending(to('plan', 'a', 'b'), to('graph', 'c'), to('plan', 'd')));
        expect((await log.read('plan')).map(({ version, type }) => [version, type])).toEqual([
          [1, 'a'],
          [2, 'b'],
          [3, 'd'],
        ]);
        expect((await log.read('graph')).map(({ sequence, version }) => [sequence, version])).toEqual([[3, 1]]);
      }),
    );

    test(
      'a topic tells the story of its streams in order, from any point on',
      using(async (log) => {
        const told = (stream: string, what: string): Append => ({ ...to(stream, what), topic: 'plan:x' });
        await log.commit(appending(told('plan:x', 'a'), to('other', 'b'), told('claim:x/n', 'c')));
        await log.commit(appending(told('plan:x', 'd')));
        expect((await log.readTopic('plan:x')).map(({ type }) => type)).toEqual(['a', 'c', 'd']);
        expect((await log.readTopic('plan:x', 1)).map(({ type }) => type)).toEqual(['c', 'd']);
        expect((await log.readTopic('other')).map(({ type }) => type)).toEqual(['b']);
        expect(await log.read('nothing')).toEqual([]);
      }),
    );

    test(
      'what happened since an instant is read by its first sequence, in pieces',
      using(async (log, pass) => {
        expect(await log.firstSince(log.now())).toBe(1);
        expect(await log.readFrom(1, 10)).toEqual([]);
        await log.commit(appending(to('a', 'a'), to('b', 'b')));
        const [{ at = '' } = {}] = await log.read('a');
        await pass(1_000);
        await log.commit(appending(to('a', 'c')));
        await log.commit(appending(to('c', 'd')));
        const newer = (await log.read('a'))[1]?.at ?? '';
        expect(await log.firstSince(at)).toBe(1);
        expect(await log.firstSince(newer)).toBe(3);
        expect(await log.firstSince('2200-01-01T00:00:00.000Z')).toBe(5);
        expect((await log.readFrom(3, 10)).map(({ type }) => type)).toEqual(['c', 'd']);
        expect((await log.readFrom(1, 3)).map(({ type }) => type)).toEqual(['a', 'b', 'c']);
        expect(await log.readFrom(5, 10)).toEqual([]);
        const text = 'x'.repeat(400_000);
        const long = (type: string, data: object): Append => ({
          stream: 'long',
          events: [{ ...happened(type), data }],
        });
        for (const type of ['e', 'f', 'g']) await log.commit(appending(long(type, { text })));
        expect((await log.readFrom(4, 10)).map(({ type }) => type)).toEqual(['d', 'e', 'f']);
        await log.commit(appending(long('h', { text: text.repeat(3) })));
        expect((await log.readFrom(8, 10)).map(({ type }) => type)).toEqual(['h']);
      }),
    );

    test(
      'the data folded now is the data that a restart would fold',
      using(async (log) => {
        let folded: unknown;
        await log.attach({ apply: ({ data }) => (folded = data), reset: () => undefined });
        const data = { at: new Date(0), gone: undefined, text: '\u0000 Zürich 火 😀' };
        await log.commit(appending({ stream: 's', events: [{ type: 'a', data, by: 'ada' }] }));
        const [kept] = await log.read('s');
        expect(folded).toEqual(kept?.data);
        expect(Object.keys(folded as object)).toEqual(['at', 'text']);
        expect((folded as typeof data).text).toBe(data.text);
      }),
    );
  });

  describe(`${store}: deciding`, () => {
    test(
      'of many who decide at once on the same state exactly one wins',
      using(async (log) => {
        const counts = counting();
        await log.attach(counts);
        const answers = await Promise.all(
          Array.from({ length: 40 }, () =>
            log.commit(() =>
              counts.of('claim') > 0
                ? refuse('not_holder', 'taken')
                : { append: [to('claim', 'claimed')], answer: () => 'won' },
            ),
          ),
        );
        expect(answers.filter((answer) => answer === 'won')).toHaveLength(1);
        expect(answers.filter(isRefusal)).toHaveLength(39);
        expect(await log.read('claim')).toHaveLength(1);
      }),
    );

    test(
      'the answer is made from its own events folded and nobody later',
      using(async (log) => {
        const counts = counting();
        await log.attach(counts);
        const answers = await Promise.all(
          Array.from({ length: 20 }, () =>
            log.commit(() => ({ append: [to('s', 'a')], answer: () => counts.of('s') })),
          ),
        );
        expect([...answers].sort((a, b) => Number(a) - Number(b))).toEqual(answers.map((_, index) => index + 1));
      }),
    );

    test(
      'a refusal writes nothing and is given back as it is',
      using(async (log) => {
        const no = refuse('plan_exists', 'there is one');
        expect(await log.commit(() => no, { key: 'k', fingerprint: 'f' })).toBe(no);
        expect(await log.rememberedAnswer('k')).toBeUndefined();
      }),
    );

    test(
      'a decision or an answer that throws rejects its own call and no other',
      using(async (log) => {
        const [a, b, c, d] = await Promise.allSettled([
          log.commit(appending(to('s', 'a'))),
          log.commit(() => {
            throw new Error('a fault in deciding');
          }),
          log.commit(() => ({
            append: [to('s', 'b')],
            answer: () => {
              throw new Error('a fault in answering');
            },
          })),
          log.commit(appending(to('s', 'c'))),
        ]);
        expect([a?.status, d?.status]).toEqual(['fulfilled', 'fulfilled']);
        expect(b).toMatchObject({ reason: { message: 'a fault in deciding' } });
        expect(c).toMatchObject({ reason: { message: 'a fault in answering' } });
        expect((await log.read('s')).map(({ version }) => version)).toEqual([1, 2, 3]);
      }),
    );

    test(
      'reading a stream without writing to it is no conflict when nobody moves it',
      using(async (log) => {
        await log.commit(appending(to('plan', 'a')));
        const answer = await log.commit(() => ({ append: [to('claim', 'b')], reads: ['plan'], answer: () => 'ok' }));
        expect(answer).toBe('ok');
      }),
    );
  });

  describe(`${store}: projections and listeners`, () => {
    test(
      'a projection gets all there was, then all that comes, in order and once',
      using(async (log) => {
        await log.commit(appending(to('s', 'a', 'b')));
        const [early, late] = [counting(), counting()];
        await log.attach(early);
        await log.commit(appending(to('t', 'c')));
        await log.attach(late);
        await Promise.all([log.commit(appending(to('s', 'd'))), log.commit(appending(to('t', 'e')))]);
        expect(early.seen).toEqual([1, 2, 3, 4, 5]);
        expect(late.seen).toEqual([1, 2, 3, 4, 5]);
      }),
    );

    test(
      'listeners hear what became durable, in order, until they stop',
      using(async (log) => {
        const heard: RecordedEvent[] = [];
        const stop = log.onCommitted((events) => heard.push(...events));
        await Promise.all(['a', 'b', 'c'].map((what) => log.commit(appending(to('s', what)))));
        await log.commit(() => refuse('not_found', 'no'));
        expect(heard.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
        stop();
        await log.commit(appending(to('s', 'd')));
        expect(heard).toHaveLength(3);
      }),
    );
  });

  describe(`${store}: idempotency keys`, () => {
    const guard = { key: 'k', fingerprint: 'f' };

    test(
      'a key is remembered with its answer, in the same step as what it guards',
      using(async (log) => {
        await log.commit(() => ({ append: [to('s', 'a')], answer: () => ({ slug: 'x' }) }), guard);
        const kept = await log.rememberedAnswer('k');
        expect(kept).toEqual({ ...guard, at: (await log.read('s'))[0]?.at, answer: { slug: 'x' } });
        expect(await log.rememberedAnswer('other')).toBeUndefined();
      }),
    );

    test(
      'an answer that changed nothing is remembered too, a lost race is not',
      using(async (log) => {
        await log.commit(() => ({ append: [], answer: () => 'same' }), guard);
        await log.commit(() => ({ append: [], answer: () => 'lost', remember: false }), { key: 'l', fingerprint: 'f' });
        expect((await log.rememberedAnswer('k'))?.answer).toBe('same');
        expect(await log.rememberedAnswer('l')).toBeUndefined();
      }),
    );

    test(
      'a call that runs anew under its key replaces the answer',
      using(async (log) => {
        await log.commit(() => ({ append: [to('s', 'a')], answer: () => 1 }), guard);
        await log.rememberedAnswer('k');
        await log.commit(() => ({ append: [to('s', 'b')], answer: () => 2 }), guard);
        expect((await log.rememberedAnswer('k'))?.answer).toBe(2);
        expect(await log.read('s')).toHaveLength(2);
      }),
    );

    test(
      'an answer lost to a fault leaves its key with no answer',
      using(async (log) => {
        const lost = log.commit(() => {
          const answer = () => {
            throw new Error('lost');
          };
          return { append: [to('s', 'a')], answer };
        }, guard);
        await expect(lost).rejects.toThrow('lost');
        expect(await log.rememberedAnswer('k')).toMatchObject({ ...guard, answer: null });
      }),
    );

    test(
      'a key answers for 24 hours and no longer',
      using(async (log, pass) => {
        await log.commit(appending(to('s', 'a')), guard);
        await pass(24 * 60 * 60_000 - 60_000);
        expect(await log.rememberedAnswer('k')).toMatchObject(guard);
        await pass(60_001);
        expect(await log.rememberedAnswer('k')).toBeUndefined();
      }),
    );
  });
}
