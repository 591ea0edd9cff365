import type { Announcements } from '../../kernel/announcements.ts';
import { type Clock, iso } from '../../kernel/clock.ts';
import type { Document } from '../../kernel/document.ts';
import { isRefusal, type Refusal, refuse, refuseShape } from '../../kernel/outcome.ts';
import type { CoverageView, Descriptor, EventModelView, Narrowing } from './contract.ts';
import { coverageOf } from './coverage.ts';
import { isRoute, sourceName } from './decide.ts';
import { diagramOf } from './diagram/diagram.ts';
import { viewOf } from './event-model-view.ts';
import type { Verdicts } from './ports.ts';
import type { Sources } from './sources.ts';

type Nothing = Record<string, never>;

/** Everything that both ports answer about the event model. */
export type EventModelQueries = {
  model(narrow?: Narrowing): EventModelView | Refusal;
  coverage(): CoverageView | Refusal;
  diagram(format: string, narrow?: Narrowing): Document | Refusal;
  push(source: string, descriptor: Descriptor): Promise<Nothing | Refusal>;
  remove(source: string): Promise<Nothing | Refusal>;
};

type EventModelQueriesDeps = { sources: Sources; verdicts: () => Verdicts; announcements: Announcements; clock: Clock };

export function createEventModelQueries({
  sources,
  verdicts,
  announcements,
  clock,
}: EventModelQueriesDeps): EventModelQueries {
  const announceChange = (done: Refusal | { name: string } | null): Refusal | Nothing => {
    if (isRefusal(done)) return done;
    if (done) announcements.announce({ type: 'event_model_changed', data: { name: done.name } });
    return {};
  };
  return {
    model(narrow) {
      const current = sources.current();
      return current ? viewOf(current, verdicts(), narrow) : noModel();
    },
    coverage() {
      const current = sources.current();
      return current ? coverageOf(current.model, verdicts()) : noModel();
    },
    diagram(format, narrow) {
      const draw = diagramOf(format);
      if (isRefusal(draw)) return draw;
      const current = sources.current();
      return current ? draw(viewOf(current, verdicts(), narrow)) : noModel();
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
