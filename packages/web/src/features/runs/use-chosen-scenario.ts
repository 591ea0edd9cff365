import { useSearchParams } from 'wouter';

/** The chosen scenario and attempt, kept in the address. */
export function useChosenScenario() {
  const [params, setParams] = useSearchParams();
  const attempt = Number(params.get('attempt'));
  const choose = (uid: string | null, at: number | null = null) =>
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
    );
  return { uid: params.get('scenario'), attempt: Number.isInteger(attempt) && attempt > 0 ? attempt : null, choose };
}
