import { withClient } from '../postgres/dump.ts';

/** The answers of the day, recorded in the format of `inDatabase`. */
export class Ledger {
  readonly answered: string[] = [];
  /** Calls that may have been executed without an answer, by verb and agent. */
  readonly unanswered: string[] = [];

  note(verb: string, ref: string, agent: string, what: string | number): void {
    this.answered.push([verb, ref, agent, what].join(' '));
  }
}

type Row = {
  stream: string;
  type: string;
  at: string;
  by: string;
  // biome-ignore lint/suspicious/noExplicitAny: the raw rows of the database
  data: any;
};

export const rowsOf = (url: string): Promise<Row[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query('SELECT stream, type, at, by, data FROM signalbox.events ORDER BY sequence');
    return rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() }));
  });

const refOf = ({ stream }: Row): string => stream.slice(stream.indexOf(':') + 1);

/** The same lines as in a ledger, computed from the events. */
export const linesOf = (rows: readonly Row[]): string[] =>
  rows.flatMap((row) => {
    const { type, by, data } = row;
    if (type === 'node_claimed') return data.renewed ? [] : [['claimed', refOf(row), data.agent, data.fence].join(' ')];
    if (type === 'claim_reported') return [['reported', refOf(row), data.agent, data.note].join(' ')];
    if (type === 'claim_released') return [['released', refOf(row), data.agent, data.outcome ?? 'returned'].join(' ')];
    return type === 'node_signed_off' ? [['signed', refOf(row), by, 'off'].join(' ')] : [];
  });

/** The entries of `some` that are missing from `others`, each as often as it is missing. */
export function without(some: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1);
  return some.filter((one) => {
    const count = left.get(one) ?? 0;
    if (count > 0) left.set(one, count - 1);
    return count === 0;
  });
}

type Held = { ref: string; agent: string; expiresAt: string; fence: number };

/** A day folded from the rows of the database, without any code of the service. */
export function foldDay(rows: readonly Row[]) {
  const held = new Map<string, Held>();
  const fences = new Map<string, number>();
  const lastAgent = new Map<string, string>();
  const proven = new Map<string, string>();
  const handedIn = new Set<string>();
  const day = {
    claims: 0,
    submitted: 0,
    failed: 0,
    givenBack: 0,
    tokens: 0,
    twice: [] as string[],
    takenBack: [] as string[],
  };
  for (const row of rows) {
    const { type, data, at, by } = row;
    const ref = refOf(row);
    const before = held.get(ref);
    if (type === 'node_claimed' && !data.renewed) {
      if (before && before.expiresAt > at) day.twice.push(`${ref} ${before.agent} ${data.agent}`);
      if (data.fence <= (fences.get(ref) ?? 0)) day.twice.push(`${ref} fence ${data.fence}`);
      if (before) day.takenBack.push(`${ref} ${before.agent} expired`);
      day.claims += 1;
      handedIn.delete(ref);
      held.set(ref, { ref, agent: data.agent, expiresAt: data.expiresAt, fence: data.fence });
      fences.set(ref, data.fence);
      lastAgent.set(ref, data.agent);
    } else if ((type === 'node_claimed' || type === 'claim_reported') && before) before.expiresAt = data.expiresAt;
    else if (type === 'claim_expired') {
      held.delete(ref);
      day.takenBack.push(`${ref} ${data.agent} expired`);
    } else if (type === 'claim_released') {
      held.delete(ref);
      const { outcome, tokens = { input: 0, output: 0 } } = data;
      day.tokens += tokens.input + tokens.output;
      if (outcome === 'failed') day.failed += 1;
      if (outcome === undefined) day.givenBack += 1;
      if (by !== data.agent && !data.agent.startsWith(`${by}/`)) day.takenBack.push(`${ref} ${data.agent} released`);
    } else if (type === 'node_submitted') {
      day.submitted += 1;
      handedIn.add(ref);
    } else if (type === 'node_signed_off') proven.set(ref, lastAgent.get(ref) ?? '');
    else if (type === 'evidence_observed') {
      if (data.settled === 'passed') proven.set(ref, lastAgent.get(ref) ?? '');
      else proven.delete(ref);
    }
  }
  for (const ref of proven.keys()) handedIn.delete(ref);
  return {
    ...day,
    done: [...proven].map(([ref, agent]) => `${ref} ${agent}`).sort(),
    handedIn: [...handedIn].sort(),
    working: [...held.values()].map(({ ref, agent }) => `${ref} ${agent}`).sort(),
    takenBack: day.takenBack.sort(),
  };
}
