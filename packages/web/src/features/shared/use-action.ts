import { useState } from 'react';
import { asProblem, type Problem } from '../../live/problem.ts';

/** Runs one action of a person: `busy` while it runs, `problem` when it is refused. The form keeps what was typed. */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const act = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return { act, busy, problem, setProblem };
}
