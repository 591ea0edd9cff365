import type { EventModelDesk } from '../../../console/event-model/desk.ts';
import type { RunDesk } from '../../../console/runs/desk.ts';
import { retriedIn } from '../../../console/runs/entry.ts';
import { current } from '../../../console/runs/fold-attempts.ts';
import { scenarioView, sortedScenarios } from '../../../console/runs/views.ts';
import type { Announcements } from '../../../kernel/announce.ts';
import { isRefusal } from '../../../kernel/outcome.ts';
import type { RunDetail } from '../contract.ts';
import { isTroubled } from '../failing.ts';
import type { Models, Runs } from '../ports.ts';

/** The console of this very process. */
export function runsInProcess(desk: RunDesk, announcements: Announcements): Runs {
  return {
    async known() {
      const runs = (await desk.list({})).map((entry) => desk.summary(entry));
      return { runs, ageMs: null };
    },
    async one(runId) {
      const entry = desk.runs.registry.get(runId);
      return entry && desk.summary(entry);
    },
    detail: (runId) => desk.detail(runId) as ReturnType<Runs['detail']>,
    async troubled(runId) {
      const opened = await desk.open(runId);
      if (isRefusal(opened)) return opened;
      const scenarios = sortedScenarios(opened.run)
        .filter((scenario) => isTroubled(current(scenario).outcome))
        .map((scenario) => scenarioView(scenario, opened.expected) as RunDetail['scenarios'][number]);
      return { run: opened.summary, scenarios };
    },
    async retried({ runId }) {
      const entry = desk.runs.registry.get(runId);
      if (!entry) return [];
      return entry.run ? retriedIn(entry.run) : entry.retried;
    },
    export: (runId, format) => desk.export(runId, format),
    eject: (runId) => desk.eject(runId),
    ejectMany: (filter) => desk.ejectMany(filter),
    listen(listener) {
      const stops = [
        desk.runs.delivery.onFolded((_, events) => {
          if (events.some(({ type }) => type !== 'scenario_finished')) listener();
        }),
        announcements.listen(({ type }) => {
          if (isAboutRuns(type)) listener();
        }, isAboutRuns),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

const isAboutRuns = (type: string): boolean => type === 'run_changed' || type === 'run_ejected';

/** The Event Model of this very process. */
export const modelsInProcess = (desk: EventModelDesk): Models => ({
  model: async (narrow) => desk.model(narrow),
  coverage: async () => desk.coverage(),
  diagram: async (format, narrow) => desk.diagram(format, narrow),
});
