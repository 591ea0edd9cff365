import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { refuseShape } from '../kernel/outcome.ts';
import { faultsOf } from '../kernel/shape.ts';
import { type Story, type StoryState, storyActions } from '../kernel/story.ts';
import { documentPage, sendDocument } from './docs-page.ts';
import { titleOf } from './markdown.ts';
import { type ExtraRoute, jsonAnswer, jsonBody } from './openapi.ts';
import { sendRefusal } from './rest.ts';

const body = z.strictObject({ action: z.enum(storyActions) });
const storyAnswer = z.object({
  title: z.string(),
  text: z.string(),
  page: z.string(),
  guide: z.object({ title: z.string(), href: z.string() }).nullable(),
  step: z.int(),
  steps: z.int(),
  paused: z.boolean(),
}) satisfies z.ZodType<StoryState>;
const toldState = jsonAnswer('The current step of the demo', storyAnswer);

/** Only a demonstration (`signalbox demo`) has these routes. */
export const storyRoutes = {
  story: {
    method: 'GET',
    path: '/api/story',
    scope: 'token',
    operation: {
      operationId: 'story',
      summary: 'The current step of a demo.',
      responses: { '200': toldState },
    },
  },
  direct: {
    method: 'POST',
    path: '/api/story',
    scope: 'token',
    operation: {
      operationId: 'direct_story',
      summary: 'Pauses, resumes, advances or restarts the story of a demo.',
      requestBody: jsonBody(body),
      responses: { '200': toldState },
    },
  },
} as const satisfies Record<string, ExtraRoute>;

const documentFolder = '/api/story/docs/';
const documentRoute: ExtraRoute = {
  method: 'GET',
  path: `${documentFolder}*`,
  scope: 'token',
  operation: {
    operationId: 'story_document',
    summary: 'Shows a document that the story of a demo refers to.',
    responses: { '200': { description: 'The document', content: { 'text/html': { schema: z.string() } } } },
  },
};

export function addStory(app: FastifyInstance, story: Story): readonly ExtraRoute[] {
  const state = (): StoryState => {
    const told = story.state();
    const document = told.guide === null ? null : story.document(told.guide);
    return {
      ...told,
      guide: document === null ? null : { title: titleOf(document), href: `${documentFolder}${told.guide}` },
    };
  };
  app.get(storyRoutes.story.path, state);
  app.post(storyRoutes.direct.path, (request, reply) => {
    const said = body.safeParse(request.body, { reportInput: true });
    if (!said.success) return sendRefusal(reply, refuseShape(faultsOf(said.error, body)));
    story.act(said.data.action);
    return state();
  });
  app.get<{ Params: { '*': string } }>(documentRoute.path, ({ params }, reply) => {
    const document = story.document(params['*']);
    return document === null ? reply.callNotFound() : sendDocument(reply, documentPage(document));
  });
  return [...Object.values(storyRoutes), documentRoute];
}
