import { access } from './requirements/access.ts';
import { agents } from './requirements/agents.ts';
import { collisions } from './requirements/collisions.ts';
import { conventions } from './requirements/conventions.ts';
import { errors } from './requirements/errors.ts';
import { eventModel } from './requirements/event-model.ts';
import { fleets } from './requirements/fleets.ts';
import { hosts } from './requirements/hosts.ts';
import { hub } from './requirements/hub.ts';
import { ingest } from './requirements/ingest.ts';
import { licence } from './requirements/licence.ts';
import { listening } from './requirements/listening.ts';
import { machineDocuments } from './requirements/machine-documents.ts';
import { mcp } from './requirements/mcp.ts';
import { nodeStatus } from './requirements/node-status.ts';
import { ownClients } from './requirements/own-clients.ts';
import { planDocuments } from './requirements/plan-documents.ts';
import { planImports } from './requirements/plan-imports.ts';
import { plans } from './requirements/plans.ts';
import { remoteConsole } from './requirements/remote-console.ts';
import { repositories } from './requirements/repositories.ts';
import { runs } from './requirements/runs.ts';
import { safety } from './requirements/safety.ts';
import { socket } from './requirements/socket.ts';
import { submissions } from './requirements/submissions.ts';
import { suiteProof } from './requirements/suite-proof.ts';
import { workLoop } from './requirements/work-loop.ts';

/** Every rule of the interface document and of the contract, one observable behaviour each. */
export const requirements = [
  ...conventions,
  ...errors,
  ...listening,
  ...machineDocuments,
  ...planDocuments,
  ...nodeStatus,
  ...plans,
  ...planImports,
  ...workLoop,
  ...submissions,
  ...fleets,
  ...collisions,
  ...socket,
  ...agents,
  ...licence,
  ...repositories,
  ...runs,
  ...ingest,
  ...remoteConsole,
  ...eventModel,
  ...hub,
  ...mcp,
  ...safety,
  ...access,
  ...suiteProof,
  ...ownClients,
  ...hosts,
] as const;

export type RequirementId = (typeof requirements)[number]['id'];
