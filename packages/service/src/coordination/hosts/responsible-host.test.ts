import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isResponsible } from './responsible-host.ts';

const hosts = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 });

const dutyOf = (all: readonly string[], what: string) =>
  all.filter((self) =>
    isResponsible(
      self,
      all.filter((other) => other !== self),
      what,
    ),
  );

test('exactly one of the hosts is on duty, and when another goes it stays so', () => {
  fc.assert(
    fc.property(hosts, fc.string(), (all, what) => {
      const [one = '', ...more] = dutyOf(all, what);
      expect(more).toEqual([]);
      for (const gone of all.filter((host) => host !== one)) {
        expect(
          dutyOf(
            all.filter((host) => host !== gone),
            what,
          ),
        ).toEqual([one]);
      }
    }),
  );
});

test('duties are spread over the hosts', () => {
  const all = ['ada', 'bob', 'cyd'];
  const counts = new Map<string, number>();
  for (let node = 0; node < 300; node += 1) {
    const [one = ''] = dutyOf(all, `plan/n${node}`);
    counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  for (const host of all) expect(counts.get(host)).toBeGreaterThan(50);
});
