import type { AccessContext } from './access/commands.ts';
import type { AgentsContext } from './agents/commands.ts';
import type { HostsContext } from './hosts/commands.ts';
import type { NotifyContext } from './notify/commands.ts';
import type { ObserversContext } from './observers/commands.ts';
import type { PlansContext } from './plans/context.ts';
import type { RepositoriesContext } from './repositories/commands.ts';
import type { RunsContext } from './runs/commands.ts';
import type { ModelContext } from './runs/model-commands.ts';
import type { TreesContext } from './trees/commands.ts';
import type { WorkContext } from './work/work-context.ts';

/** Everything that the commands of port 5526 may ask for. */
export type CoordinationContext = WorkContext &
  PlansContext &
  AgentsContext &
  ObserversContext &
  HostsContext &
  RepositoriesContext &
  TreesContext &
  ModelContext &
  AccessContext &
  NotifyContext &
  RunsContext;
