import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import type { DispatchContext } from '../../kernel/dispatch.ts';
import { listOf, listPage, paging } from '../../kernel/list.ts';
import { type HostView, hostView } from './contract.ts';

export type HostsContext = DispatchContext & { hosts: () => readonly HostView[] };

const listHosts = commandFor<HostsContext>()({
  name: 'list_hosts',
  description:
    'The hosts that share the store: version, address, when each was last heard of, how far its clock is ahead of the database, live sessions and runs.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  mcp: false,
  input: z.strictObject({ ...paging }),
  output: listOf(hostView),
  rest: { method: 'GET', path: '/api/hosts', query: ['limit', 'offset', 'cursor'] },
  examples: [{ title: 'every host', input: {} }],
  run: ({ hosts }, input) =>
    listPage(
      hosts(),
      input,
      (host) => host,
      ({ name }) => name,
    ),
});

export const hostCommands = [listHosts] as const;
