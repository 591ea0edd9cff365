import {
  type CompleteResult,
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type ResourceTemplateType,
  type Server,
} from '@modelcontextprotocol/server';
import type { AnyCommand } from '../kernel/command.ts';
import { type CallOrigin, type DispatchContext, dispatch } from '../kernel/dispatch.ts';
import { isObject } from '../kernel/is-object.ts';
import { ListPage } from '../kernel/list.ts';
import { callTool } from './mcp-tools.ts';
import { maxAnswerBytes } from './tool-answer.ts';

/** The prompts of this server. */
export function addPrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({ prompts: [...prompts] }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = promptNamed(params.name, params.arguments);
    if (prompt) return prompt;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `unknown prompt ${params.name}; prompts/list lists the prompts`,
    );
  });
}

/** Adds resources, and completions of the arguments of prompts and resources. */
export function addResources<Ctx extends DispatchContext>(
  server: Server,
  commands: readonly AnyCommand<Ctx>[],
  ctx: Ctx,
  by: CallOrigin,
): void {
  server.setRequestHandler('completion/complete', ({ params }) => complete(params, commands, ctx, by));
  server.setRequestHandler('resources/list', async () => {
    const plans = await itemsOf('list_plans', commands, ctx, by);
    const resources = plans.map(({ slug, title }) => ({
      uri: planUri(String(slug)),
      name: String(slug),
      title: String(title),
      mimeType: 'application/json',
    }));
    return { resources };
  });
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...resourceTemplates] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const asked = resourceCall(uri);
    const command = commands.find(({ name }) => name === asked?.tool);
    if (!asked || !command)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown resource ${uri}; use signalbox://plan/{slug}`);
    const { content, isError } = await callTool(command, ctx, { ...asked.input, maxBytes: maxAnswerBytes }, { by });
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '';
    if (isError) throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  });
}

type Definition = Prompt & { text: (given: Readonly<Record<string, string>>) => string };

const definitions: readonly Definition[] = [
  {
    name: 'take_work',
    title: 'Take the next node',
    description: 'Claim the best ready node, work on it, report, release.',
    arguments: [
      { name: 'agent', description: 'The name to claim under', required: false },
      { name: 'repository', description: 'owner/name; default: the repository of this connection', required: false },
    ],
    text: ({ agent, repository }) =>
      [
        `Call claim_next${agent ? ` with agent "${agent}"` : ' with your name as agent'}${repository ? ` and repository "${repository}"` : ''}.`,
        'If nothing is ready, say so and stop. Otherwise read the description, lastClaim.note and inputs, and do the work; put the trailer, if there is one, into your commit message. split_node if it is too large.',
        'Call report_node with a note before half the lease is over. When you stop, call release_node: outcome submitted when your part is finished, failed when you could not.',
        'The node is done when its proof is observed, not when you release it.',
      ].join('\n'),
  },
  {
    name: 'plan_from_repository',
    title: 'Plan from a repository',
    description: 'Read a repository and write its open work as a plan.',
    arguments: [{ name: 'repository', description: 'owner/name', required: true }],
    text: ({ repository = '' }) =>
      [
        `Read the repository ${repository}: its documentation, open issues and tests.`,
        `Write its open work with create_plan, with repository "${repository}": small nodes that one agent finishes in an hour, each with a title, a description and what it depends on.`,
        'Bind each node to what proves it done (bind_node lists the kinds). Then call plan_status and show which nodes are ready.',
      ].join('\n'),
  },
];

const prompts: readonly Prompt[] = definitions.map(({ text: _, ...prompt }) => prompt);

/** Undefined if no prompt has that name. */
function promptNamed(name: string, given: Readonly<Record<string, string>> = {}): GetPromptResult | undefined {
  const found = definitions.find((one) => one.name === name);
  if (!found) return undefined;
  const { description } = found;
  return {
    ...(description !== undefined && { description }),
    messages: [{ role: 'user', content: { type: 'text', text: found.text(given) } }],
  };
}

const mimeType = 'application/json';

/** The resources that a person can name in a client, and the tool that reads each. */
const resourceTemplates: readonly ResourceTemplateType[] = [
  { uriTemplate: 'signalbox://plan/{slug}', name: 'plan', title: 'Plan status', mimeType },
  { uriTemplate: 'signalbox://run/{runId}', name: 'run', title: 'Test run', mimeType },
];

export const planUri = (slug: string): string => `signalbox://plan/${encodeURIComponent(slug)}`;
export const runUri = (runId: string): string => `signalbox://run/${encodeURIComponent(runId)}`;

type ResourceCall = { tool: string; input: Record<string, unknown> };

/** The tool call behind a URI; undefined if the URI names nothing. */
function resourceCall(uri: string): ResourceCall | undefined {
  const [, kind, encoded = ''] = /^signalbox:\/\/(plan|run)\/([^/?#]{1,600})$/.exec(uri) ?? [];
  const name = decoded(encoded);
  if (kind === undefined || name === undefined) return undefined;
  return kind === 'plan'
    ? { tool: 'plan_status', input: { plan: name } }
    : { tool: 'run_status', input: { runId: name } };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

type Completed = { ref: { type: string; name?: string; uri?: string }; argument: { name: string; value: string } };
type Item = Readonly<Record<string, unknown>>;

/** The tool that lists the values of an argument, and the member of an item that is the value. */
const sources: Readonly<Record<string, { tool: string; valueOf: (item: Item) => unknown }>> = {
  slug: { tool: 'list_plans', valueOf: ({ slug }) => slug },
  runId: { tool: 'list_runs', valueOf: ({ runId }) => runId },
  repository: { tool: 'list_repositories', valueOf: ({ owner, name }) => `${owner}/${name}` },
};

const mostRead = 1_000;
/** The protocol's limit. */
const mostValues = 100;

/** Values of an argument of a prompt or resource template that contain what was typed, those that begin with it first. */
async function complete<Ctx extends DispatchContext>(
  { ref, argument }: Completed,
  commands: readonly AnyCommand<Ctx>[],
  ctx: Ctx,
  by: CallOrigin,
): Promise<CompleteResult> {
  if (!argumentsOf(ref).includes(argument.name)) {
    const message = `${ref.name ?? ref.uri} has no argument ${argument.name}`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  const source = sources[argument.name];
  const items = source ? await itemsOf(source.tool, commands, ctx, by) : [];
  const typed = argument.value.toLowerCase();
  const fitting = items
    .map((item) => String(source?.valueOf(item)))
    .filter((value) => value.toLowerCase().includes(typed));
  const isFirst = (value: string) => value.toLowerCase().startsWith(typed);
  const values = [...fitting.filter(isFirst), ...fitting.filter((value) => !isFirst(value))];
  const hasMore = values.length > mostValues;
  return { completion: { values: values.slice(0, mostValues), total: values.length, hasMore } };
}

function argumentsOf({ type, name, uri }: Completed['ref']): string[] {
  if (type === 'ref/prompt') return prompts.find((one) => one.name === name)?.arguments?.map((one) => one.name) ?? [];
  const template = resourceTemplates.find(({ uriTemplate }) => uriTemplate === uri)?.uriTemplate ?? '';
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, argument = '']) => argument);
}

/** A caller without the scope gets no items. */
async function itemsOf<Ctx extends DispatchContext>(
  tool: string,
  commands: readonly AnyCommand<Ctx>[],
  ctx: Ctx,
  by: CallOrigin,
): Promise<readonly Item[]> {
  const command = commands.find(({ name }) => name === tool);
  const page = command && (await dispatch(command, ctx, { limit: mostRead }, { transport: 'mcp', by }));
  return page instanceof ListPage ? page.items.filter(isObject) : [];
}
