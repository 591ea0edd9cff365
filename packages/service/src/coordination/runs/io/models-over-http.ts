import type { Announcements } from '../../../kernel/announce.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { Document } from '../../../kernel/document.ts';
import { isRefusal, type Refusal } from '../../../kernel/outcome.ts';
import { aged } from '../aged-list.ts';
import type { ModelView, SliceCoverage } from '../model-contract.ts';
import { narrowed } from '../narrow.ts';
import type { Models } from '../ports.ts';
import { type Address, bodyOf, fetchFromConsole, has, oddOf, readFromConsole } from './remote-console.ts';

const pollMs = 5000;

type Kept = { model: ModelView | Refusal; coverage: SliceCoverage | Refusal };

/** The Event Model of a console on another machine, as it was when it last answered. Only a drawing is fetched when asked for. */
export function modelsOverHttp(
  address: Address,
  clock: Clock,
  announcements: Announcements,
): { models: Models; stop(): void } {
  let kept: Kept | undefined;
  let seenAt = clock.monotonic();
  const told = <Answer extends object>(answer: Answer) => aged(answer, clock.monotonic() - seenAt);
  const poll = async (): Promise<void> => {
    const now: Kept = {
      model: await readFromConsole<ModelView>(address, 'GET', '/api/event-model', has('slices', 'links')),
      coverage: await readFromConsole<SliceCoverage>(
        address,
        'GET',
        '/api/event-model/coverage',
        has('summary', 'slices'),
      ),
    };
    const before = kept;
    if (before && (isAway(now.model) || isAway(now.coverage))) return;
    kept = now;
    seenAt = clock.monotonic();
    if (!before || JSON.stringify(before.model) === JSON.stringify(now.model)) return;
    // One whose last source went is told by the name it had.
    const name = nameOf(now.model) ?? nameOf(before.model);
    if (name !== null) announcements.announce({ type: 'event_model_changed', subject: name, data: { name } });
  };
  const first = poll();
  const known = async (): Promise<Kept> => {
    await first;
    if (!kept) throw new Error('the first look at the event model came to nothing');
    return kept;
  };
  const models: Models = {
    async model(narrow) {
      const { model } = await known();
      return isRefusal(model) ? model : told(narrowed(model, narrow));
    },
    coverage: async () => told((await known()).coverage),
    async diagram(format, narrow) {
      const query = new URLSearchParams({ format });
      for (const [name, value] of Object.entries(narrow)) if (value !== undefined) query.set(name, value);
      const answer = await fetchFromConsole(address, 'GET', `/api/event-model/diagram?${query}`);
      if (isRefusal(answer)) return answer;
      const mediaType = answer.headers.get('content-type') ?? '';
      return /^(image\/svg\+xml|text\/plain)\b/.test(mediaType)
        ? new Document(mediaType, bodyOf(answer))
        : oddOf(address);
    },
  };
  return { models, stop: clock.every(pollMs, poll) };
}

const isAway = (answer: unknown): boolean => isRefusal(answer) && answer.code === 'host_unavailable';
const nameOf = (answer: ModelView | Refusal): string | null => (isRefusal(answer) ? null : answer.name);
