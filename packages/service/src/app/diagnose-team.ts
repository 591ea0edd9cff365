import { z } from 'zod';
import { clockNoticeMs } from '../kernel/host-table.ts';
import { askOwn } from './ask-own.ts';
import type { Config } from './config.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';
import { version } from './version.ts';

const host = z.object({
  name: z.string(),
  self: z.boolean(),
  state: z.enum(['up', 'away']),
  version: z.string().nullable(),
  url: z.string().nullable(),
  lastSeen: z.string(),
  clockOffsetMs: z.number().nullable(),
  duties: z.array(z.string()),
  reach: z.string().optional(),
});
type Host = z.output<typeof host>;

const probeMs = 15_000;

/** The hosts that share the store, as the running service sees them. */
export async function diagnoseTeam(config: Config, probe: boolean): Promise<Finding[]> {
  const path = `/api/hosts${probe ? '?probe=true' : ''}`;
  const answer = await askOwn(config, config.port, path, probeMs, config.token);
  const hosts = z.array(host).safeParse(answer?.body).data;
  if (hosts) return probe ? hosts.flatMap(findingsOf) : hosts.flatMap(clockOf);
  return probe ? [wrong('team', 'the service of this machine does not list its hosts', unasked)] : [];
}

const unasked = 'Start it, and give doctor the same settings, Service:Token included.';

const findingsOf = (one: Host): Finding[] => [presenceOf(one), ...clockOf(one), ...reachOf(one)];

function presenceOf({ name, self, state, version: theirs, url, lastSeen, duties }: Host): Finding {
  const about = `host ${name}`;
  if (state === 'away') {
    const next = 'Start that host, or ignore it: it is forgotten after 30 days.';
    return warning(about, `away, last heard from at ${lastSeen}`, next);
  }
  const parts = [theirs ?? 'an older version', url ?? 'no address', ...duties, ...(self ? ['this host'] : [])];
  if (theirs !== version) return warning(about, parts.join(', '), `This host runs ${version}: upgrade the older one.`);
  const isOpen = url?.startsWith('http:') && !/^http:\/\/(localhost|127\.|\[::1\])/.test(url);
  return isOpen
    ? warning(about, parts.join(', '), 'It is reached without TLS: set Service:TlsCert and Service:TlsKey.')
    : ok(about, parts.join(', '));
}

function clockOf({ name, clockOffsetMs }: Host): Finding[] {
  if (clockOffsetMs === null || Math.abs(clockOffsetMs) <= clockNoticeMs) return [];
  const apart = `${(Math.abs(clockOffsetMs) / 1000).toFixed(1)} s ${clockOffsetMs > 0 ? 'ahead of' : 'behind'} the database`;
  return [warning(`clock of ${name}`, apart, 'Synchronise it (timedatectl set-ntp true).')];
}

function reachOf({ name, reach }: Host): Finding[] {
  if (reach === undefined) return [];
  const about = `reach of ${name}`;
  return [reach === 'ok' ? ok(about, 'answers this host') : wrong(about, 'this host cannot reach it', reach)];
}
