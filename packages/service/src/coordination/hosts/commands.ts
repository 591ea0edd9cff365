import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import type { DispatchContext } from '../../kernel/dispatch.ts';
import { listOf, listPage, paging } from '../../kernel/list.ts';
import { type HostView, hostView } from './contract.ts';

export type HostsContext = DispatchContext & {
  hosts: () => readonly HostView[];
  /** Asks every other host, by name: `ok`, or why it cannot be asked. */
  probeHosts: () => Promise<ReadonlyMap<string, string>>;
};

const listHosts = commandFor<HostsContext>()({
  name: 'list_hosts',
  description:
    'The hosts that share the store: version, address, when each was last heard from, how far its clock is ahead of the database, live sessions and runs.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  mcp: false,
  input: z.strictObject({
    probe: z
      .boolean()
      .optional()
      .describe('Also check that this host can reach the others, as details of their runs require'),
    ...paging,
  }),
  output: listOf(hostView),
  rest: { method: 'GET', path: '/api/hosts', query: ['probe', 'limit', 'offset', 'cursor'] },
  examples: [
    { title: 'every host', input: {} },
    { title: 'whether each can be reached', input: { probe: true } },
  ],
  async run({ hosts, probeHosts }, { probe, ...page }) {
    const reached = probe ? await probeHosts() : null;
    const withReach = (host: HostView) => {
      const reach = reached?.get(host.name);
      return reach === undefined ? host : { ...host, reach };
    };
    return listPage(hosts(), page, withReach, ({ name }) => name);
  },
});

export const hostCommands = [listHosts] as const;
