import { addStory } from '../edge/story-route.ts';
import type { Story } from '../kernel/story.ts';
import type { Port } from './port.ts';

/** A port that also serves the story of a demo. */
export const withStory = <Ctx>(port: Port<Ctx>, story: Story | undefined): Port<Ctx> =>
  story === undefined
    ? port
    : { ...port, extend: (app, policy) => [...(port.extend?.(app, policy) ?? []), ...addStory(app, story)] };
