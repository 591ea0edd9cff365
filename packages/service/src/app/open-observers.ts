import { HookSessions } from '../coordination/agents/hook-sessions.ts';
import type { AgentWatch } from '../coordination/agents/watch.ts';
import { sessionsOfAllHosts } from '../coordination/hosts/all-hosts-sessions.ts';
import type { ObservationBatch } from '../coordination/observers/contract.ts';
import { type ObservedChanges, Observers } from '../coordination/observers/observers.ts';
import { hostKey } from '../kernel/host-table.ts';
import { isRefusal, refuse } from '../kernel/outcome.ts';
import type { ServiceDeps } from './port.ts';

const silenceMs = 1_000;

/** Sessions that this service cannot see itself: observers and hooks report them. */
export function openObservers(
  { config, clock, announcements, log }: ServiceDeps,
  isOtherHost: (name: string) => boolean,
) {
  const observers = new Observers();
  const hooks = new HookSessions();
  let onTreeChanges: () => void = () => undefined;
  const announce = ({ sessions, trees, changes }: ObservedChanges) => {
    if (changes) onTreeChanges();
    if (sessions.length + trees.length > 0)
      announcements.announce({ type: 'agents_changed', data: { sessions, trees } });
  };
  return {
    observers,
    /** Calls the listener after what observers say of changed paths has changed. */
    onTreeChanges(listener: () => void): void {
      onTreeChanges = listener;
    },
    /** What this host, its observers and hooks see together. */
    joined(own: AgentWatch): AgentWatch {
      const withObservers = sessionsOfAllHosts(own, observers, 'observer_lost');
      return { ...own, ...sessionsOfAllHosts(withObservers, hooks) };
    },
    receive(batch: ObservationBatch) {
      const name = batch.observer;
      if (hostKey(name) === hostKey(config.hostName) || isOtherHost(name))
        return refuse('observer_name_taken', `${name} is the name of a host. Start this observer with another --name.`);
      const known = observers.get(name);
      const answer = observers.receive(batch, { wall: clock.wall(), monotonic: clock.monotonic() });
      if (isRefusal(answer)) return answer;
      if (known?.life !== observers.get(name)?.life)
        log.info(
          { observer: name, version: batch.version },
          batch.leaves ? 'an observer stopped' : 'an observer began',
        );
      announce(answer.changes);
      return { resend: answer.resend };
    },
    receiveHook(payload: Readonly<Record<string, unknown>>, host: string): void {
      const changed = hooks.receive(payload, host, clock.wall());
      if (changed !== null) announce({ sessions: [changed], trees: [], changes: false });
    },
    start: (): (() => void) =>
      clock.every(silenceMs, () => {
        const { lost, ...changes } = observers.checkSilence(clock.monotonic());
        for (const observer of lost) log.warn({ observer }, 'an observer is silent: what its sessions do is not known');
        announce({ ...changes, sessions: [...changes.sessions, ...hooks.checkSilence(clock.wall())] });
      }),
  };
}

export type OpenObservers = ReturnType<typeof openObservers>;
