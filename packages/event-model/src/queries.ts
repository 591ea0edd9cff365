import { type RunTask, runUninterrupted, type Task } from '../../service/src/event-loop/task.ts';
import type { Announcements } from '../../service/src/kernel/announcements.ts';
import { keepLongAnswerText } from '../../service/src/kernel/answer-text.ts';
import { type Clock, iso } from '../../service/src/kernel/clock.ts';
import { Document } from '../../service/src/kernel/document.ts';
import { isRefusal, type Refusal, refuse, refuseShape } from '../../service/src/kernel/outcome.ts';
import type { CoverageView, Descriptor, EventModelView, Narrowing } from './contract.ts';
import { coverageSteps } from './coverage.ts';
import { mermaidSteps } from './diagram/mermaid.ts';
import { svgSteps } from './diagram/svg.ts';
import { viewSteps } from './model-view.ts';
import { isRoute, type Sources, sourceName } from './sources.ts';
import type { Verdicts } from './verdicts.ts';

type Nothing = Record<string, never>;

/** The queries about the event model that both ports answer. */
export type EventModelQueries = {
  /** Null before any push. */
  name(): string | null;
  model(narrow?: Narrowing): Promise<EventModelView | Refusal>;
  coverage(): Promise<CoverageView | Refusal>;
  diagram(format: string, narrow?: Narrowing): Promise<Document | Refusal>;
  push(source: string, descriptor: Descriptor): Promise<Nothing | Refusal>;
  remove(source: string): Promise<Nothing | Refusal>;
};

type EventModelQueriesDeps = {
  sources: Sources;
  verdicts: () => Verdicts;
  announcements: Announcements;
  clock: Clock;
  runTask?: RunTask;
};

export function createEventModelQueries({
  sources,
  verdicts,
  announcements,
  clock,
  runTask = runUninterrupted,
}: EventModelQueriesDeps): EventModelQueries {
  const announceChange = (changed: Refusal | { name: string } | null): Refusal | Nothing => {
    if (isRefusal(changed)) return changed;
    if (changed) announcements.announce({ type: 'event_model_changed', data: { name: changed.name } });
    return {};
  };
  return {
    name: () => sources.current()?.model.name ?? null,
    async model(narrow) {
      const current = sources.current();
      if (!current) return noModel();
      const view = await runTask(viewSteps(current, verdicts(), narrow));
      await runTask(keepLongAnswerText(view));
      return view;
    },
    async coverage() {
      const current = sources.current();
      return current ? await runTask(coverageSteps(current.model, verdicts())) : noModel();
    },
    async diagram(format, narrow) {
      const render = rendererOf(format);
      if (isRefusal(render)) return render;
      const current = sources.current();
      return current ? await runTask(render(await runTask(viewSteps(current, verdicts(), narrow)))) : noModel();
    },
    push: async (source, descriptor) =>
      announceChange(await sources.push({ source, descriptor, pushedAt: iso(clock.wall()) })),
    async remove(source) {
      if (isRoute(source)) return refuseShape([{ path: 'source', message: `${source} is not a source` }]);
      if (!sourceName.safeParse(source).success)
        return refuse('not_found', 'Not a valid source name. Use 1 to 100 letters, digits, - and _.');
      return announceChange(await sources.remove(source));
    },
  };
}

const noModel = (): Refusal =>
  refuse(
    'no_event_model',
    'No source has pushed an event model yet. The test publisher of a project pushes it when its suite runs.',
  );

/** The renderer of a format. */
function rendererOf(format: string): Refusal | ((model: EventModelView) => Task<Document>) {
  switch (format.toLowerCase()) {
    case 'svg':
      return function* renderSvg(model) {
        return new Document('image/svg+xml; charset=utf-8', yield* svgSteps(model));
      };
    case 'mermaid':
      return function* renderMermaid(model) {
        return new Document('text/plain; charset=utf-8', yield* mermaidSteps(model));
      };
    default:
      return refuse('unknown_format', `Unknown diagram format ${format}. Use format=svg or format=mermaid.`);
  }
}
