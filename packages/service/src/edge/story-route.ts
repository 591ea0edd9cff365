import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { refuseShape } from '../kernel/outcome.ts';
import { faultsOf } from '../kernel/shape.ts';
import { type Story, type StoryState, storyActions } from '../kernel/story.ts';
import { json } from './extra-routes.ts';
import type { ExtraRoute } from './openapi.ts';
import { sendRefusal } from './rest.ts';

const body = z.strictObject({ action: z.enum(storyActions) });
const text = { type: 'string' };
const state = json('What the demonstration tells now', {
  title: text,
  text,
  page: text,
  guide: { type: ['string', 'null'] },
  step: { type: 'integer' },
  steps: { type: 'integer' },
  paused: { type: 'boolean' },
});

/** Only a demonstration has these: `signalbox demo`. */
export const storyRoutes = {
  story: {
    method: 'GET',
    path: '/api/story',
    scope: 'token',
    operation: {
      operationId: 'story',
      summary: 'Tells where the story of a demonstration is.',
      responses: { '2XX': state },
    },
  },
  direct: {
    method: 'POST',
    path: '/api/story',
    scope: 'token',
    operation: {
      operationId: 'direct_story',
      summary: 'Pauses the story of a demonstration, goes on, takes the next step or begins anew.',
      responses: { '2XX': state },
    },
  },
} as const satisfies Record<string, ExtraRoute>;

export function addStory(app: FastifyInstance, story: Story): readonly ExtraRoute[] {
  app.get(storyRoutes.story.path, (): StoryState => story.state());
  app.post(storyRoutes.direct.path, (request, reply) => {
    const said = body.safeParse(request.body, { reportInput: true });
    if (!said.success) return sendRefusal(reply, refuseShape(faultsOf(said.error, body)));
    story.act(said.data.action);
    return story.state();
  });
  return Object.values(storyRoutes);
}
