import { expect, onTestFinished } from 'vitest';
import { noUsage, type SessionReader, type Transcript } from '../../packages/service/src/coordination/agents/ports.ts';
import { createAgentWatch } from '../../packages/service/src/coordination/agents/watch.ts';
import { coordinationCommands } from '../../packages/service/src/coordination/registry.ts';
import {
  createClaimLinks,
  LinkProjection,
  sessionLookupOf,
} from '../../packages/service/src/coordination/work/claim-session.ts';
import { watchClaimSessions } from '../../packages/service/src/coordination/work/claim-session-watch.ts';
import { openWork } from '../../packages/service/src/coordination/work/open-work.ts';
import { createAnnouncements } from '../../packages/service/src/kernel/announcements.ts';
import { unknownCaller } from '../../packages/service/src/kernel/command.ts';
import { dispatch } from '../../packages/service/src/kernel/dispatch.ts';
import { createMemoryLog } from '../../testing/memory-log.ts';
import { createSettableClock, type SettableClock } from '../../testing/settable-clock.ts';
import { type Random, randomOf } from '../random.ts';
import { rounds } from '../rounds.ts';
import { verifies } from '../verifies.ts';

/** A program that works from its start to its end. Its file may appear a little later than the process. */
type Program = { id: string; pid: number; tool: string; startsAt: number; fileAt: number; endsAt: number };

/** Reads the current state of programs: running programs are registered, programs that wrote have a transcript. */
function simulatedReader(tool: string, programs: readonly Program[], clock: SettableClock): SessionReader {
  let before = new Map<string, Transcript>();
  const status = { tool, path: `/home/.${tool}`, ok: true, detail: null };
  const transcriptOf = (one: Program, now: number): Transcript => ({
    sessionId: one.id,
    folder: '-r',
    firstAt: one.startsAt,
    // It writes every 100 ms while it runs, and once more at its end.
    lastAt: Math.min(one.endsAt, now - ((now - one.startsAt) % 100)),
    launchCwd: '/r',
    cwd: '/r',
    branch: 'main',
    entrypoint: 'cli',
    afterClear: false,
    subagent: false,
    turn: { state: now < one.endsAt ? 'open' : 'closed', detail: 'model', waiting: false },
    usage: noUsage,
  });
  return {
    tool,
    sources: () => [status],
    onChange: () => () => undefined,
    async poll() {
      const now = clock.wall();
      const mine = programs.filter((one) => one.tool === tool && one.startsAt <= now);
      const running = mine.filter(({ endsAt }) => now < endsAt);
      const transcripts = new Map(
        mine.filter(({ fileAt }) => fileAt <= now).map((one) => [one.id, transcriptOf(one, now)] as const),
      );
      const changed = new Set([...before.keys(), ...transcripts.keys()]);
      before = transcripts;
      const entries = running.map(({ pid, id, startsAt }) => ({
        pid,
        sessionId: id,
        liveness: 'live' as const,
        status: null,
        waitingFor: null,
        cwd: '/r',
        entrypoint: 'cli',
        name: null,
        startedAt: startsAt,
        updatedAt: null,
        statusUpdatedAt: null,
        formerIds: [],
      }));
      const ended = new Set(mine.filter(({ endsAt }) => endsAt <= now).map(({ pid }) => pid));
      const checked = { processesCheckedAt: clock.monotonic(), registry: 'clean' as const, processes: [], ended };
      return { ...status, ...checked, entries, transcripts, changed };
    },
  };
}

const shop = { root: '/r', mainRoot: '/r', repository: 'acme/shop', branch: 'main', worktree: false, onDisk: true };

async function board(programs: readonly Program[], clock: SettableClock) {
  const announcements = createAnnouncements();
  const log = createMemoryLog(clock);
  const onFault = (fault: unknown) => expect.fail(String(fault));
  const readers = ['claude-code', 'codex'].map((tool) => simulatedReader(tool, programs, clock));
  const probe = { locate: async () => shop, worktreesOf: async () => [] };
  const watch = createAgentWatch({ host: 'box', readers, probe, clock, announcements, onFault });
  const projection = new LinkProjection();
  await log.attach(projection);
  const links = createClaimLinks(projection, watch, () => log.now());
  const work = await openWork({ log, clock, links, sessions: sessionLookupOf(watch, watch) });
  const others = { present: () => false, concludeHere: () => true };
  const stop = watchClaimSessions({
    work,
    projection,
    announcements,
    host: 'box',
    follows: (host) => host === 'box',
    observations: watch,
    others,
    fault: onFault,
  });
  onTestFinished(stop);
  const call = (name: string, input: object, client: string | null = null) => {
    const command = coordinationCommands.find((one) => one.name === name) ?? expect.fail(name);
    return dispatch(command, work as never, input, { transport: 'direct', caller: { ...unknownCaller, client } });
  };
  await call('create_plan', { document: { plan: 'p', repository: 'acme/shop', nodes: [{ id: 'a' }] } });
  return {
    call,
    async poll() {
      await watch.poll();
      await clock.tick();
      // The keeper continues in its own turns after it was woken.
      for (let turn = 0; turn < 6; turn++) await new Promise(setImmediate);
    },
    linkedTo: () => work.views.node('p', 'a').claim?.sessionId ?? null,
  };
}

const start = Date.UTC(2026, 0, 1, 9);

function programsOf(random: Random): [claims: Program, other: Program] {
  const program = (n: number): Program => {
    const startsAt = start + random.below(5_000);
    const fileAt = startsAt + random.below(400);
    const id = `0000000${n}-0000-4000-8000-000000000000`;
    return {
      id,
      pid: n,
      tool: random.pick(['claude-code', 'codex']),
      startsAt,
      fileAt,
      endsAt: fileAt + random.below(8_000),
    };
  };
  return [program(1), program(2)];
}

const timings = rounds(30, 200);

verifies(
  'link:never-to-another-session',
  `a claim is shown on the session of another only where both were there at the claim and its own is gone, in ${timings} random timings of two programs`,
  async () => {
    let linked = 0;
    for (let round = 0; round < timings; round++) {
      const random = randomOf(21, round);
      const [claims, other] = programsOf(random);
      const clock = createSettableClock(start);
      const { call, poll, linkedTo } = await board([claims, other], clock);
      const claimAt = claims.startsAt + random.below(claims.endsAt - claims.startsAt + 1);
      const client = random.chance(0.5) ? claims.tool : null;
      let isClaimed = false;
      while (clock.wall() < start + 16_000) {
        const next = clock.wall() + 1 + random.below(1_200);
        if (!isClaimed && next >= claimAt) {
          clock.advance(claimAt - clock.wall());
          await call('claim_node', { plan: 'p', node: 'a', agent: 'ada' }, client);
          isClaimed = true;
        } else clock.advance(next - clock.wall());
        await poll();
        const bothWereThere =
          other.startsAt <= claimAt && claimAt <= other.endsAt && (!client || other.tool === client);
        const mayBeOfOther = bothWereThere && clock.wall() >= claims.endsAt;
        if (!mayBeOfOther) expect(linkedTo(), `round ${round}`).not.toBe(other.id);
      }
      if (linkedTo() === claims.id) linked++;
      if (client !== null && other.tool !== client) expect(linkedTo(), `round ${round}`).toBe(claims.id);
    }
    expect(linked).toBeGreaterThan(timings / 2);
  },
);
