import { clockNeedMs } from '../../kernel/host-table.ts';
import type { ReplacedHistory } from '../hosts/contract.ts';
import type { Need, NeedKind } from './contract.ts';

export type HostFacts = {
  name: string;
  state: 'up' | 'away';
  lastSeen: string;
  clockOffsetMs: number | null;
  via?: 'observer' | undefined;
};
export function* hostTrouble({ name, state, lastSeen, clockOffsetMs, via }: HostFacts): Iterable<Need> {
  if (state === 'away') {
    const lost = `The observer ${name} was last heard from at ${lastSeen}: the state of its sessions is unknown. Start "signalbox observe" there again; it is forgotten after a day.`;
    const detail =
      via === 'observer'
        ? lost
        : `The host ${name} was last heard from at ${lastSeen}: its sessions are unknown and its runs cannot be opened. Start it; if it is gone for good, it is forgotten after 30 days.`;
    yield about('host_unreachable', name, name, detail, { host: name, since: lastSeen });
  }
  if (state === 'away' || clockOffsetMs === null || Math.abs(clockOffsetMs) <= clockNeedMs) return;
  const apart = `${Math.round(Math.abs(clockOffsetMs) / 1000)} s ${clockOffsetMs > 0 ? 'ahead of' : 'behind'}`;
  const detail = `The clock of the host ${name} is ${apart} the database's. Runs and leases go by the database; session times are wrong. Synchronise it (timedatectl set-ntp true).`;
  yield about('clocks_apart', name, name, detail, { host: name });
}

export function replacedHistory({ at, events, ...lost }: ReplacedHistory): Need {
  const parts = lostThings.flatMap(([kind, word]) =>
    lost[kind] > 0 ? [`${lost[kind]} ${word}${lost[kind] === 1 ? '' : 's'}`] : [],
  );
  const missing = parts.length === 0 ? '' : `, among them ${parts.join(', ')}`;
  const detail = `The database was replaced at ${at}: ${events} ${events === 1 ? 'event is' : 'events are'} gone${missing}. Tokens that were revoked stay revoked. Compare with the audit; if the restore was intended, an admin may accept it.`;
  return about('history_replaced', at, 'History replaced', detail, { since: at, command: 'signalbox accept_history' });
}

const lostThings = [
  ['tokens', 'token'],
  ['signOffs', 'sign-off'],
  ['nodes', 'node'],
  ['claims', 'claim'],
] as const;

export const about = (kind: NeedKind, key: string, title: string, detail: string, more: Partial<Need>): Need => ({
  since: null,
  host: null,
  agent: null,
  who: null,
  possibly: false,
  ref: null,
  sessionId: null,
  tool: null,
  runId: null,
  root: null,
  url: null,
  command: null,
  ...more,
  kind,
  key: `${kind} ${key}`,
  title,
  detail,
});
