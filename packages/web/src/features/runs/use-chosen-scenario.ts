import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** The selected scenario and attempt, kept in the address. `choose` stays the same function, so that rows are not rendered again. */
export function useChosenScenario() {
  const [params, setParams] = useSearchParams();
  const attempt = Number(params.get('attempt'));
  const choose = useCallback(
    (uid: string | null, at: number | null = null) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          if (uid === null) next.delete('scenario');
          else next.set('scenario', uid);
          if (at === null) next.delete('attempt');
          else next.set('attempt', String(at));
          return next;
        },
        { replace: true },
      ),
    [setParams],
  );
  return { uid: params.get('scenario'), attempt: Number.isInteger(attempt) && attempt > 0 ? attempt : null, choose };
}
