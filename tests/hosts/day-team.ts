import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Random } from '../random.ts';
import { startedProcess } from '../spawn.ts';
import { type Answer, caller } from '../start.ts';
import { bearer, operatorToken } from '../tokens.ts';
import type { Ledger } from './day-ledger.ts';

export type DayHost = Awaited<ReturnType<typeof startDayHost>>;

const clockAhead = `--import=${join(import.meta.dirname, 'clock-ahead.ts')}`;

/** A host in its own process. Its clock may be wrong, it may sleep, and it may be killed and restarted. */
export async function startDayHost(name: string, Store: string, aheadMs: number, more: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), `day-${name}-`));
  const env = {
    Service__Store: Store,
    Service__HostName: name,
    Service__Token: operatorToken,
    Service__LicenceGate: 'off',
    Service__MaxAttempts: '100',
    NODE_OPTIONS: clockAhead,
    CLOCK_AHEAD_MS: String(aheadMs),
    ...more,
  };
  const open = () => startedProcess(env, [], home);
  let running = await open();
  return {
    name,
    home,
    url: () => running.url,
    call: (method: string, path: string, body?: unknown, token = operatorToken, headers = {}): Promise<Answer> =>
      caller(running.url)(method, path, body, { ...bearer(token), ...headers }),
    publish: async (events: object[]) => {
      const answer = await caller(running.consoleUrl)('POST', '/api/ingest', { events }, bearer(operatorToken));
      expect(answer.body.rejected ?? [], answer.text).toEqual([]);
    },
    sleep: () => void running.child.kill('SIGSTOP'),
    wake: () => void running.child.kill('SIGCONT'),
    async kill() {
      running.child.kill('SIGKILL');
      await running.ended;
    },
    async startAgain() {
      running = await open();
    },
    async [Symbol.asyncDispose]() {
      running.child.kill('SIGCONT');
      await running[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Agents claim nodes of one plan and release them in every way, until they are held or stopped. */
export class DayAgents {
  readonly #ledger: Ledger;
  readonly #plan: string;
  readonly #running: Promise<void>[] = [];
  #turns = 0;
  #underWay = 0;
  #held = false;
  #stopped = false;

  constructor(ledger: Ledger, plan: string) {
    this.#ledger = ledger;
    this.#plan = plan;
  }

  turns = (): number => this.#turns;

  add(host: DayHost, agent: string, token: string, signer: string, random: Random): void {
    this.#running.push(this.#work(host, agent, token, signer, random));
  }

  /** Waits for calls in progress; no further call is made until `goOn`. */
  async hold(): Promise<void> {
    this.#held = true;
    while (this.#underWay > 0) await pause(5);
  }

  goOn(): void {
    this.#held = false;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  async #work(host: DayHost, agent: string, token: string, signer: string, random: Random): Promise<void> {
    for (let turn = 0; !this.#stopped; turn += 1) {
      if (this.#held) {
        await pause(5);
        continue;
      }
      this.#underWay += 1;
      await this.#turn(host, agent, token, signer, random, turn);
      this.#underWay -= 1;
      this.#turns += 1;
      await pause(random.below(20));
    }
  }

  async #turn(host: DayHost, agent: string, token: string, signer: string, random: Random, turn: number) {
    const asked = { agent, plan: this.#plan, leaseMinutes: 1 };
    const claimed = await this.#sure(host, 'claimed', agent, '/api/plans/ready/claim', asked, token);
    if (claimed?.status !== 200 || !claimed.body.claimed) return;
    const { node, fence } = claimed.body;
    this.#ledger.note('claimed', node.ref, agent, fence);
    const at = `/api/plans/${node.ref.replace('/', '/nodes/')}`;
    const note = `turn-${turn}`;
    const reported = await this.#sure(host, 'reported', agent, `${at}/report`, { agent, fence, note }, token);
    if (reported?.status === 200) this.#ledger.note('reported', node.ref, agent, note);
    const outcome = random.pick(['returned', 'failed', 'submitted']);
    const body = { agent, fence, ...(outcome !== 'returned' && { outcome }) };
    const released = await this.#sure(host, 'released', agent, `${at}/release`, body, token);
    if (released?.status !== 200) return;
    this.#ledger.note('released', node.ref, agent, outcome);
    if (outcome !== 'submitted' || random.chance(0.5)) return;
    const signed = await this.#sure(host, 'signed', 'ida', `${at}/sign-off`, {}, signer);
    if (signed?.status === 200) this.#ledger.note('signed', node.ref, 'ida', 'off');
  }

  /** Repeats the same request until it is answered with yes or no. */
  async #sure(host: DayHost, verb: string, agent: string, path: string, body: object, token: string) {
    const key = { 'idempotency-key': crypto.randomUUID() };
    for (;;) {
      const answer = await host.call('POST', path, body, token, key).catch(() => null);
      if (answer && answer.status < 500) return answer;
      this.#ledger.unanswered.push(`${verb} ${agent}`);
      if (this.#stopped) return null;
      await pause(50);
    }
  }
}
