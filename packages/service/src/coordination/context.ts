import type { Announcements } from '../kernel/announce.ts';
import type { AgentsContext } from './agents/commands.ts';
import type { RepositoriesContext } from './repositories/commands.ts';
import type { RunsRelayContext } from './runs/commands.ts';
import type { ModelRelayContext } from './runs/model-commands.ts';
import type { WorkContext } from './work/context.ts';

/** Everything that the commands of port 5526 may ask for. */
export type CoordinationContext = WorkContext &
  AgentsContext &
  RepositoriesContext &
  ModelRelayContext &
  RunsRelayContext & { announcements: Announcements };
