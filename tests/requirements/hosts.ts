import { rules } from './rules.ts';

export const hosts = [
  ...rules('contract 14', {
    'hosts:one-machine-needs-nothing': 'On one machine the service runs without any other server.',
    'hosts:shared': 'Plans, claims, repositories, notes and evidence are shared by all hosts of one PostgreSQL.',
    'hosts:own-writes': 'A caller reads its own writes on the host that it wrote to.',
    'hosts:follow-within-a-second': 'The other hosts follow a write within a second.',
    'hosts:log-is-the-truth': 'A host that missed a notification still catches up from the log.',
    'hosts:observe-own': 'Each host observes its own sessions and runs, and they carry `host`.',
    'hosts:one-board': 'The board of any host shows the sessions and trees of all hosts.',
    'hosts:unheard-is-unknown':
      'The sessions of a host not heard of for 30 s stay on the board as `unknown`, never as `gone`.',
    'hosts:same-name-refused': 'A second living host with the same `HostName` refuses to start and names the first.',
    'hosts:all-runs-listed': 'The list of runs shows the runs of all hosts.',
    'hosts:archives-stay': 'Run archives and event models stay on the host that took them in.',
    'hosts:relayed': 'Detail, export and DELETE of a run of another host are relayed to its `AdvertiseUrl`.',
    'hosts:away-503': 'A relay to a host that is away answers 503 `host_unavailable` naming the host.',
    'hosts:bulk-delete-own': 'A bulk DELETE takes only runs of the host that was asked.',
    'hosts:coverage-of-all': 'Coverage uses the newest verdicts of all hosts.',
    'hosts:database-away-writes-503': 'While the database is away writes answer 503 `store_unavailable` at once.',
    'hosts:database-away-reads': 'While the database is away reads go on from memory with `Age`.',
    'hosts:database-back': 'When the database comes back everything works again without a restart.',
  }),
] as const;
