import type { EventModelQueries } from '../../../../../event-model/src/queries.ts';
import { current } from '../../../console/runs/fold-scenarios.ts';
import type { RunQueries } from '../../../console/runs/run-queries.ts';
import { retriedScenariosIn } from '../../../console/runs/run-registry.ts';
import { scenarioView, sortedScenarios } from '../../../console/runs/run-views.ts';
import type { Announcements } from '../../../kernel/announcements.ts';
import { isRefusal } from '../../../kernel/outcome.ts';
import { isFailing } from '../failing-tests.ts';
import type { ModelSource, RunSource } from '../ports.ts';

/** The console of this process. */
export function runsInProcess(queries: RunQueries, announcements: Announcements): RunSource {
  return {
    async list() {
      const runs = (await queries.list({})).map((entry) => queries.summary(entry));
      return { runs, ageMs: null };
    },
    async get(runId) {
      const entry = queries.runs.registry.get(runId);
      return entry && queries.summary(entry);
    },
    detail: (runId) => queries.detail(runId),
    async failing(runId) {
      const opened = await queries.open(runId);
      if (isRefusal(opened)) return opened;
      const scenarios = sortedScenarios(opened.run)
        .filter((scenario) => isFailing(current(scenario).outcome))
        .map((scenario) => scenarioView(scenario, opened.expected));
      return { run: opened.summary, scenarios };
    },
    async retried({ runId }) {
      const entry = queries.runs.registry.get(runId);
      if (!entry) return [];
      return entry.run ? retriedScenariosIn(entry.run) : entry.retried;
    },
    export: (runId, format) => queries.export(runId, format),
    attachment: (runId, sha256) => queries.attachment(runId, sha256),
    tests: (filter, order) => queries.tests(filter, order),
    testChanges: (since) => queries.testChanges(since),
    isOutsideHistory: ({ runId, state }) => state === 'running' || !queries.runs.registry.get(runId),
    testHistory: (query) => queries.testHistory(query),
    eject: (runId, by) => queries.eject(runId, by),
    ejectMany: (filter, by) => queries.ejectMany(filter, by),
    listen(listener) {
      const stops = [
        queries.runs.writer.onFolded((_, events) => {
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

/** The Event Model of this process. */
export const modelsInProcess = (queries: EventModelQueries): ModelSource => ({
  model: (narrow) => queries.model(narrow),
  coverage: () => queries.coverage(),
  diagram: (format, narrow) => queries.diagram(format, narrow),
});
