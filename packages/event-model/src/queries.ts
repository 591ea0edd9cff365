import type { Announcements } from '../../service/src/kernel/announcements.ts';
import { keepLongAnswerText } from '../../service/src/kernel/answer-text.ts';
import { type Clock, iso } from '../../service/src/kernel/clock.ts';
import { Document } from '../../service/src/kernel/document.ts';
import { type InTurns, type Steps, withoutTurns } from '../../service/src/kernel/in-turns.ts';
import { isRefusal, type Refusal, refuse, refuseShape } from '../../service/src/kernel/outcome.ts';
import type { CoverageView, Descriptor, EventModelView, Narrowing } from './contract.ts';
import { coverageSteps } from './coverage.ts';
import { mermaidSteps } from './diagram/mermaid.ts';
import { svgSteps } from './diagram/svg.ts';
import { viewSteps } from './model-view.ts';
import { isRoute, type Sources, sourceName } from './sources.ts';
import type { Verdicts } from './verdicts.ts';

type Nothing = Record<string, never>;

/** Everything that both ports answer about the event model. */
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
  inTurns?: InTurns;
};

export function createEventModelQueries({
  sources,
  verdicts,
  announcements,
  clock,
  inTurns = withoutTurns,
}: EventModelQueriesDeps): EventModelQueries {
  const announceChange = (done: Refusal | { name: string } | null): Refusal | Nothing => {
    if (isRefusal(done)) return done;
    if (done) announcements.announce({ type: 'event_model_changed', data: { name: done.name } });
    return {};
  };
  return {
    name: () => sources.current()?.model.name ?? null,
    async model(narrow) {
      const current = sources.current();
      if (!current) return noModel();
      const view = await inTurns(viewSteps(current, verdicts(), narrow));
      await inTurns(keepLongAnswerText(view));
      return view;
    },
    async coverage() {
      const current = sources.current();
      return current ? await inTurns(coverageSteps(current.model, verdicts())) : noModel();
    },
    async diagram(format, narrow) {
      const draw = diagramOf(format);
      if (isRefusal(draw)) return draw;
      const current = sources.current();
      return current ? await inTurns(draw(await inTurns(viewSteps(current, verdicts(), narrow)))) : noModel();
    },
    push: async (source, descriptor) =>
      announceChange(await sources.push({ source, descriptor, pushedAt: iso(clock.wall()) })),
    async remove(source) {
      if (isRoute(source)) return refuseShape([{ path: 'source', message: `${source} is not a source` }]);
      if (!sourceName.safeParse(source).success)
        return refuse('not_found', 'This is not a source name. Use 1 to 100 letters, digits, - and _.');
      return announceChange(await sources.remove(source));
    },
  };
}

const noModel = (): Refusal =>
  refuse(
    'no_event_model',
    'No source has pushed an event model yet. The test publisher of a project pushes it when its suite runs.',
  );

/** How a format is drawn, or which formats there are. */
export function diagramOf(format: string): Refusal | ((model: EventModelView) => Steps<Document>) {
  switch (format.toLowerCase()) {
    case 'svg':
      return function* draw(model) {
        return new Document('image/svg+xml; charset=utf-8', yield* svgSteps(model));
      };
    case 'mermaid':
      return function* write(model) {
        return new Document('text/plain; charset=utf-8', yield* mermaidSteps(model));
      };
    default:
      return refuse('unknown_format', `Unknown diagram format ${format}. Use format=svg or format=mermaid.`);
  }
}
