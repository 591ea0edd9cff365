import { join } from 'node:path';
import { z } from 'zod';
import { HookSessions } from '../coordination/agents/hook-sessions.ts';
import type { AgentWatch } from '../coordination/agents/watch.ts';
import { sessionsOfAllHosts } from '../coordination/hosts/all-hosts-sessions.ts';
import {
  type ObservationBatch,
  type RememberedObserver,
  rememberedObserver,
} from '../coordination/observers/contract.ts';
import { type ObservedChanges, Observers } from '../coordination/observers/observers.ts';
import { writeAtomically } from '../files/durable-file.ts';
import { readPlainFile } from '../files/plain-file.ts';
import { hostKey } from '../kernel/host-table.ts';
import { coalesced } from '../kernel/one-at-a-time.ts';
import { isRefusal, refuse } from '../kernel/outcome.ts';
import type { ServiceDeps } from './port.ts';

const silenceMs = 1_000;

/** Sessions that this service cannot observe itself; observers and hooks report them. */
export function openObservers(deps: ServiceDeps, isOtherHost: (name: string) => boolean) {
  const { config, clock, announcements, log } = deps;
  const observers = new Observers();
  const file = observerFile(deps, observers);
  const hooks = new HookSessions();
  let onTreeChanges: () => void = () => undefined;
  const announce = ({ sessions, trees, changes }: ObservedChanges) => {
    if (changes) onTreeChanges();
    if (sessions.length + trees.length === 0) return;
    file.markChanged();
    announcements.announce({ type: 'agents_changed', data: { sessions, trees } });
  };
  return {
    observers,
    /** Calls the listener after the changed paths that observers report have changed. */
    onTreeChanges(listener: () => void): void {
      onTreeChanges = listener;
    },
    /** The combined observations of this host, its observers and hooks. */
    joined(own: AgentWatch): AgentWatch {
      const withObservers = sessionsOfAllHosts(own, observers, 'observer_lost');
      return { ...own, ...sessionsOfAllHosts(withObservers, hooks) };
    },
    async receive(batch: ObservationBatch) {
      const name = batch.observer;
      if (hostKey(name) === hostKey(config.hostName) || isOtherHost(name))
        return refuse('observer_name_taken', `${name} is the name of a host. Start this observer with another --name.`);
      const lifeBefore = observers.get(name)?.life;
      const answer = observers.receive(batch, { wall: clock.wall(), monotonic: clock.monotonic() });
      if (isRefusal(answer)) return answer;
      announce(answer.changes);
      if (lifeBefore !== observers.get(name)?.life) {
        log.info(
          { observer: name, version: batch.version },
          batch.leaves ? 'an observer stopped' : 'an observer started',
        );
        await file.keep();
      }
      return { resend: answer.resend };
    },
    receiveHook(payload: Readonly<Record<string, unknown>>, host: string): void {
      const changed = hooks.receive(payload, host, clock.wall());
      if (changed !== null) announce({ sessions: [changed], trees: [], changes: false });
    },
    start(): () => Promise<void> {
      const stop = clock.every(silenceMs, () => {
        const { lost, ...changes } = observers.checkSilence(clock.monotonic());
        for (const observer of lost)
          log.warn({ observer }, 'an observer is silent: the state of its sessions is unknown');
        announce({ ...changes, sessions: [...changes.sessions, ...hooks.checkSilence(clock.wall())] });
        file.keepIfDue();
      });
      return async () => {
        stop();
        await file.close();
      };
    },
  };
}

export type OpenObservers = ReturnType<typeof openObservers>;

const mostBytes = 64 * 1024 * 1024;
/** Observations change often and are sent again after a restart, so a crash may lose the most recent ones. */
const keepMs = 10_000;

const read = (path: string): RememberedObserver[] => {
  try {
    return z.array(rememberedObserver).parse(JSON.parse(readPlainFile(path, mostBytes).toString('utf8')));
  } catch {
    return [];
  }
};

/** The observers that this host knows, kept beside its store. An unreadable file counts as missing. */
function observerFile({ config, clock, log }: ServiceDeps, observers: Observers) {
  const path = join(config.dataPath, 'observers.json');
  observers.recall(read(path), { wall: clock.wall(), monotonic: clock.monotonic() });
  let isDue = false;
  let keptAt = clock.monotonic();
  const writes = coalesced(async () => {
    isDue = false;
    keptAt = clock.monotonic();
    await writeAtomically(path, JSON.stringify(observers.remembered())).catch((err: unknown) =>
      log.warn({ err }, 'cannot store the observers'),
    );
  });
  return {
    /** An observer started or stopped: written immediately. */
    keep: () => writes.run(),
    /** The observations of one of them have changed. */
    markChanged(): void {
      isDue = true;
    },
    keepIfDue(): void {
      if (isDue && clock.monotonic() - keptAt >= keepMs) void writes.run();
    },
    async close(): Promise<void> {
      if (isDue) await writes.run();
      await writes.settled();
    },
  };
}
