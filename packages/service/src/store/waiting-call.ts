import { keptAnswerText } from '../kernel/answer-text.ts';
import type { Decide, Decision, IdempotencyGuard, IsPendingWrite } from '../kernel/event-log.ts';
import { isRefusal, type Refusal } from '../kernel/outcome.ts';

/** A finished answer: its JSON, to be remembered, and the function that delivers it. */
export type MadeAnswer = { json(): string | null; give(): void };

export type UntypedDecision = Omit<Decision<unknown>, 'answer'> & { answer: () => MadeAnswer };

/** A call on its way into the log. Of which type its answer is, only its caller knows: a queue holds calls of all types. */
export type WaitingCall = {
  decide: (now: string, isTaken?: IsPendingWrite) => UntypedDecision | Refusal;
  guard: IdempotencyGuard | undefined;
  refuse: (refusal: Refusal) => void;
  reject: (fault: unknown) => void;
  /** Gives the answer that was remembered of the same call, as its fingerprint tells. */
  recall: (json: string) => void;
};

type Promised<Answer> = { resolve: (answer: Answer | Refusal) => void; reject: (fault: unknown) => void };

export const waitingCall = <Answer>(
  decide: Decide<Answer>,
  guard: IdempotencyGuard | undefined,
  { resolve, reject }: Promised<Answer>,
): WaitingCall => ({
  guard,
  refuse: resolve,
  reject,
  recall: (json) => resolve(JSON.parse(json)),
  decide(now, isTaken) {
    const decision = decide(now, isTaken);
    if (isRefusal(decision)) return decision;
    const answer = () => {
      const made = decision.answer();
      return { json: () => keptAnswerText(made), give: () => resolve(made) };
    };
    return { ...decision, answer };
  },
});
