import {
  type Answer,
  type Body,
  type Dialect,
  type Message,
  newId,
  type OfferedTool,
  textOf,
  usage,
} from './conversation.ts';

/** OpenAI Responses: `POST /v1/responses`. */
export const responses: Dialect = {
  conversation: (body) => ({
    messages: (typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : (body.input ?? [])).flatMap(
      messageOf,
    ),
    tools: toolsOf(body.tools ?? []),
  }),
  whole: (answer, body) => envelope(body, 'completed', [item(answer)]),
  events(answer, body) {
    const made = item(answer);
    const done = envelope(body, 'completed', [made]);
    const begun = { ...made, status: 'in_progress', ...('content' in made && { content: [] }) };
    const at = { output_index: 0 };
    const text =
      'text' in answer
        ? [{ type: 'response.output_text.delta', ...at, content_index: 0, item_id: made.id, delta: answer.text }]
        : [];
    return [
      { type: 'response.created', response: { ...done, status: 'in_progress', output: [], usage: null } },
      { type: 'response.output_item.added', ...at, item: begun },
      ...text,
      { type: 'response.output_item.done', ...at, item: made },
      { type: 'response.completed', response: done },
    ].map((data) => ({ event: data.type, data }));
  },
};

function messageOf(entry: Body): Message[] {
  const { type = 'message', role } = entry;
  if (type === 'message' && role === 'user') return [{ from: 'user', text: textOf(entry.content) }];
  if (type === 'message' && role === 'assistant') return [{ from: 'model', calls: [] }];
  if (type.endsWith('_call_output')) return [{ from: 'tool', text: textOf(entry.output) }];
  return type.endsWith('_call') ? [{ from: 'model', calls: [{ name: entry.name, input: {} }] }] : [];
}

/** Tools of one server are grouped under its name; a call must name the group. */
const toolsOf = (tools: Body[], namespace?: string): OfferedTool[] =>
  tools.flatMap((tool) =>
    tool.type === 'namespace'
      ? toolsOf(tool.tools ?? [], tool.name)
      : [{ name: tool.name ?? tool.type, words: JSON.stringify(tool), ...(namespace !== undefined && { namespace }) }],
  );

function item(answer: Answer): Body {
  if ('text' in answer) {
    const content = [{ type: 'output_text', text: answer.text, annotations: [] }];
    return { type: 'message', id: newId('msg'), role: 'assistant', status: 'completed', content };
  }
  const { name, namespace, input } = answer.call;
  return {
    type: 'function_call',
    id: newId('fc'),
    call_id: newId('call'),
    name,
    ...(namespace !== undefined && { namespace }),
    arguments: JSON.stringify(input),
    status: 'completed',
  };
}

const envelope = ({ model }: Body, status: string, output: readonly object[]) => ({
  id: newId('resp'),
  object: 'response',
  created_at: Math.floor(Date.now() / 1000),
  status,
  model,
  output,
  usage: {
    input_tokens: usage.input + usage.cached,
    input_tokens_details: { cached_tokens: usage.cached },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.input + usage.cached + usage.output,
  },
});
