import type { ConsoleContext } from '../console/context.ts';
import type { EventModelDesk } from '../console/event-model/desk.ts';
import { type OpenedEventModel, openEventModel } from '../console/event-model/io/open-event-model.ts';
import { consoleCommands } from '../console/registry.ts';
import { RunDesk } from '../console/runs/desk.ts';
import { openRuns } from '../console/runs/io/open-runs.ts';
import { addIngest } from '../edge/ingest.ts';
import { ingestShortcut } from '../edge/ingest-shortcut.ts';
import type { DispatchContext } from '../kernel/dispatch.ts';
import { consoleMeasures } from './console-measures.ts';
import type { Port, Surround } from './port.ts';
import { version } from './version.ts';
import { webFolder } from './web-folder.ts';

export type ConsoleParts = {
  port: Port<ConsoleContext & DispatchContext>;
  runs: RunDesk;
  eventModel: EventModelDesk;
  verdicts: Pick<OpenedEventModel, 'verdicts' | 'joinWith'>;
  stop(): Promise<void>;
};

/** Port 5525: runs and the event model. Knows nothing of coordination. */
export async function composeConsole({ config, clock, log, announcements }: Surround): Promise<ConsoleParts> {
  const { dataPath, hostName: host, orphanSeconds, retentionDays, retentionRuns } = config;
  const policies = { orphanSeconds, retentionDays, retentionRuns };
  const warn = (details: object, text: string) => log.warn(details, text);
  const opened = await openRuns({ dataPath, clock, host, policies, announcements, warn });
  const runs = new RunDesk(opened, version);
  const measured = consoleMeasures(runs);
  const ingest = measured.counted(opened.ingest);
  const say = (line: string) => log.warn(line);
  const model = await openEventModel({ dataPath, clock, announcements, say });
  opened.delivery.onFolded((runId, events) => model.observe(runId, events));
  return {
    port: {
      title: 'Signalbox run console',
      commands: consoleCommands,
      ctx: { version, runs, eventModel: model.desk },
      web: webFolder,
      measures: measured.measures,
      extend: (app) => [addIngest(app, ingest)],
      shortcut: (...around) => ingestShortcut(ingest, ...around),
    },
    runs,
    eventModel: model.desk,
    verdicts: model,
    stop: async () => {
      await opened.stop();
      await model.stop();
    },
  };
}
