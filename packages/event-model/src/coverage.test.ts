import { describe, expect, test } from 'vitest';
import { host, modelOf, sliceOf, specs, typeOf } from '../testing/wallets.ts';
import { coverageOf } from './coverage.ts';
import { mergeSources } from './merge.ts';
import { createLatestVerdicts, type FinishedScenario } from './verdicts.ts';

const model = mergeSources('Wallets', [
  { source: 'host', descriptor: host },
  { source: 'specs', descriptor: specs },
]);
const credit = 'Wallet/crediting adds funds';
const fact = (outcome: string, minute: number, rest: Partial<FinishedScenario> = {}): FinishedScenario => ({
  runId: `run-${minute}`,
  uid: credit,
  outcome,
  at: `2026-01-01T10:${String(minute).padStart(2, '0')}:00.000Z`,
  arrivedAt: '2026-01-02T00:00:00.000Z',
  ...rest,
});
const stateAfter = (...facts: FinishedScenario[]) => {
  const verdicts = createLatestVerdicts();
  for (const each of facts) verdicts.fold(each);
  return coverageOf(model, verdicts).slices.find(({ name }) => name === 'CreditWallet')?.evidence.state;
};

describe('a slice', () => {
  test('is verified only after a passing scenario with its identity, failing after a failing one, and back', () => {
    expect(stateAfter()).toBe('noEvidence');
    expect(stateAfter(fact('CleanPass', 1, { uid: 'Wallet/crediting' }))).toBe('noEvidence');
    expect(stateAfter(fact('CleanPass', 1))).toBe('verified');
    expect(stateAfter(fact('CleanPass', 1), fact('Failed', 2))).toBe('failing');
    expect(stateAfter(fact('CleanPass', 1), fact('Failed', 2), fact('PassOnRetry', 3))).toBe('verified');
  });

  test('an older verdict that arrives later changes nothing', () => {
    expect(stateAfter(fact('CleanPass', 2), fact('Failed', 1))).toBe('verified');
  });

  test('instants are compared in UTC, with any offset', () => {
    const early = fact('Failed', 0, { at: '2026-01-01T11:30:00+02:00' });
    expect(stateAfter(fact('CleanPass', 0), early)).toBe('verified');
  });

  test('a verdict without an instant counts from its arrival', () => {
    expect(stateAfter(fact('CleanPass', 1), fact('Failed', 0, { at: null }))).toBe('failing');
  });

  test('a skipped scenario has no verdict and keeps the previous one', () => {
    expect(stateAfter(fact('CleanPass', 1), fact('Skipped', 2))).toBe('verified');
    expect(stateAfter(fact('Skipped', 2))).toBe('noEvidence');
  });

  test('an aborted scenario counts as failing', () => {
    expect(stateAfter(fact('Aborted', 1))).toBe('failing');
  });

  test('needs a pass of every specification, and one failure is enough to fail', () => {
    const two = modelOf('W', [
      sliceOf('S', { specifications: ['a', 'b'].map((identity) => ({ identity, resolvedTypes: [] })) }),
    ]);
    const state = (outcomes: Record<string, string>) => {
      const verdicts = createLatestVerdicts();
      for (const [uid, outcome] of Object.entries(outcomes)) verdicts.fold(fact(outcome, 1, { uid }));
      return coverageOf(two, verdicts).slices[0]?.evidence.state;
    };
    expect(state({ a: 'CleanPass' })).toBe('noEvidence');
    expect(state({ a: 'Failed' })).toBe('failing');
    expect(state({ a: 'CleanPass', b: 'CleanPass' })).toBe('verified');
  });

  test('folding the same facts twice or in another order gives the same verdicts', () => {
    const facts = [fact('CleanPass', 1), fact('Failed', 2), fact('CleanPass', 2, { runId: 'run-9' })];
    const fold = (given: FinishedScenario[]) => {
      const verdicts = createLatestVerdicts();
      for (const each of given) verdicts.fold(each);
      return [...verdicts.all()];
    };
    expect(fold([...facts].reverse())).toEqual(fold(facts));
    expect(fold([...facts, ...facts])).toEqual(fold(facts));
  });
});

test('the summary counts every slice once', () => {
  const verdicts = createLatestVerdicts();
  verdicts.fold(fact('CleanPass', 1));
  expect(coverageOf(model, verdicts).summary).toEqual({ slices: 4, verified: 1, failing: 0, noEvidence: 2, noSpec: 1 });
});

describe('drift', () => {
  const drift = (...facts: FinishedScenario[]) => {
    const verdicts = createLatestVerdicts();
    for (const each of facts) verdicts.fold(each);
    return coverageOf(model, verdicts).drift;
  };

  test('a touched type that nothing declares is listed with the slices whose specifications touched it', () => {
    const touchedTypes = [typeOf('CreditWallet'), typeOf('FraudCheck'), typeOf('BalanceQuery')];
    expect(drift(fact('CleanPass', 1, { touchedTypes })).undeclared).toEqual([
      { ...typeOf('FraudCheck'), slices: ['CreditWallet'] },
    ]);
  });

  test('a type that a newer verdict no longer touches is not drift any more', () => {
    const before = fact('CleanPass', 1, { touchedTypes: [typeOf('FraudCheck')] });
    expect(drift(before, fact('CleanPass', 2, { touchedTypes: [] })).undeclared).toEqual([]);
  });

  test('a declared type is untouched until a passing scenario touches it', () => {
    const names = (...facts: FinishedScenario[]) => drift(...facts).untouched.map(({ name }) => name);
    const touchedTypes = [typeOf('WalletCredited')];
    expect(names()).toContain('WalletCredited');
    expect(names(fact('Failed', 1, { touchedTypes }))).toContain('WalletCredited');
    expect(names(fact('CleanPass', 1, { touchedTypes }))).not.toContain('WalletCredited');
  });

  test('an untouched type names every slice that declares it, once', () => {
    expect(drift().untouched.find(({ name }) => name === 'WalletCredited')).toEqual({
      ...typeOf('WalletCredited'),
      slices: ['CreditWallet', 'WalletBalances', 'NotifyOwner'],
    });
  });
});
