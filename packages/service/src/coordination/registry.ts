import type { AnyCommand } from '../kernel/command.ts';
import { accessCommands } from './access/commands.ts';
import { activityCommands } from './activity/commands.ts';
import { agentCommands } from './agents/commands.ts';
import type { CoordinationContext } from './coordination-context.ts';
import { hostCommands } from './hosts/commands.ts';
import { needsCommands } from './needs/commands.ts';
import { webhookCommands } from './notify/commands.ts';
import { observerCommands } from './observers/commands.ts';
import { planAuthoring } from './plans/authoring-commands.ts';
import { planReads } from './plans/commands.ts';
import { nodeAuthoring } from './plans/node-commands.ts';
import { repositoryCommands } from './repositories/commands.ts';
import { runCommands } from './runs/commands.ts';
import { modelCommands } from './runs/model-commands.ts';
import { testCommands } from './runs/test-commands.ts';
import { treeCommands } from './trees/commands.ts';
import { awaitCommands } from './work/await-commands.ts';
import { workLoop } from './work/commands.ts';
import { simulatePlan } from './work/simulation-command.ts';
import { statusCommands } from './work/status-commands.ts';

/** Every command of port 5526 with its own name, input and output, in the order in which they are shown. */
export const coordinationTable = [
  ...workLoop,
  ...awaitCommands,
  ...planReads,
  ...statusCommands,
  simulatePlan,
  ...planAuthoring,
  ...nodeAuthoring,
  ...runCommands,
  ...testCommands,
  ...modelCommands,
  ...agentCommands,
  ...observerCommands,
  ...treeCommands,
  ...needsCommands,
  ...hostCommands,
  ...activityCommands,
  ...repositoryCommands,
  ...accessCommands,
  ...webhookCommands,
] as const;

/** All commands without the types of each, for code that treats them the same way. */
export const coordinationCommands: readonly AnyCommand<CoordinationContext>[] = coordinationTable;
