import { createHash } from 'node:crypto';
import type { CoordinationContext } from '../coordination/context.ts';
import { PlanBook } from '../coordination/plans/book.ts';
import { coordinationCommands } from '../coordination/registry.ts';
import { createPlanViews } from '../coordination/work/summary.ts';
import { addLicence, addPing } from '../edge/asides.ts';
import { addMcp } from '../edge/mcp.ts';
import type { Licence } from '../kernel/licence.ts';
import { openLicence } from './licence.ts';
import type { Port, Surround } from './port.ts';
import { openStore } from './store.ts';
import { version } from './version.ts';
import { webFolder } from './web-folder.ts';

export type CoordinationParts = {
  port: Port<CoordinationContext>;
  licence: () => Licence;
  stop(): Promise<void>;
};

/** Port 5526: everything that coordinates, around one event log. */
export async function composeCoordination({ config, clock, announcements }: Surround): Promise<CoordinationParts> {
  const licenceNow = await openLicence(config.licence, config.licencePublicKey, clock);
  const log = await openStore(config, clock);
  const plans = new PlanBook();
  await log.attach(plans);

  const licence = () => ({ mode: config.licenceGate, licence: licenceNow() });
  const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
  const ctx: CoordinationContext = {
    log,
    licence,
    keys: { underWay: new Map(), digest },
    plans,
    views: createPlanViews(),
    announcements,
  };
  return {
    licence: licenceNow,
    port: {
      title: 'Signalbox coordination',
      commands: coordinationCommands,
      ctx,
      web: webFolder,
      extend(app) {
        addMcp(app, coordinationCommands, ctx, version);
        return [addPing(app, version), addLicence(app, licence)];
      },
    },
    stop: () => log.close(),
  };
}
