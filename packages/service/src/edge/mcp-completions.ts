import { type CompleteResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { AnyCommand } from '../kernel/command.ts';
import { type CallOrigin, type DispatchContext, dispatch } from '../kernel/dispatch.ts';
import { isObject } from '../kernel/is-object.ts';
import { ListPage } from '../kernel/list.ts';
import { prompts } from './mcp-prompts.ts';
import { resourceTemplates } from './mcp-resources.ts';

type Completed = { ref: { type: string; name?: string; uri?: string }; argument: { name: string; value: string } };
type Item = Readonly<Record<string, unknown>>;

/** What lists the values of an argument, and which member of an item is one. */
const sources: Readonly<Record<string, { tool: string; valueOf: (item: Item) => unknown }>> = {
  slug: { tool: 'list_plans', valueOf: ({ slug }) => slug },
  runId: { tool: 'list_runs', valueOf: ({ runId }) => runId },
  repository: { tool: 'list_repositories', valueOf: ({ owner, name }) => `${owner}/${name}` },
};

const mostRead = 1_000;
/** As the protocol bounds it. */
const mostValues = 100;

/** Values of an argument of a prompt or resource template that contain what was typed, those that begin with it first. */
export async function complete<Ctx extends DispatchContext>(
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

/** None for a caller who may not read them. */
export async function itemsOf<Ctx extends DispatchContext>(
  tool: string,
  commands: readonly AnyCommand<Ctx>[],
  ctx: Ctx,
  by: CallOrigin,
): Promise<readonly Item[]> {
  const command = commands.find(({ name }) => name === tool);
  const page = command && (await dispatch(command, ctx, { limit: mostRead }, { transport: 'mcp', by }));
  return page instanceof ListPage ? page.items.filter(isObject) : [];
}
