import { type Answer, type Body, type Dialect, type Message, newId, textOf, usage } from './conversation.ts';

/** Anthropic Messages: `POST /v1/messages`. */
export const anthropic: Dialect = {
  conversation: (body) => ({
    messages: (body.messages ?? []).flatMap(messagesOf),
    tools: (body.tools ?? []).map((tool: Body) => ({ name: tool.name, words: JSON.stringify(tool) })),
  }),
  whole: (answer, body) => ({ ...envelope(body), content: [block(answer)], stop_reason: stopReason(answer) }),
  events(answer, body) {
    const made = block(answer);
    const empty = made.type === 'text' ? { type: 'text', text: '' } : { ...made, input: {} };
    const delta =
      made.type === 'text'
        ? { type: 'text_delta', text: made.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(made.input) };
    const stopped = { stop_reason: stopReason(answer), stop_sequence: null };
    return [
      { type: 'message_start', message: { ...envelope(body), content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: empty },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: stopped, usage: { output_tokens: usage.output } },
      { type: 'message_stop' },
    ].map((data) => ({ event: data.type, data }));
  },
};

function messagesOf({ role, content }: Body): Message[] {
  const blocks: Body[] = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  if (role === 'assistant') return [{ from: 'model', calls: blocks.filter(({ type }) => type === 'tool_use') }];
  return blocks.flatMap((one): Message[] => {
    if (one.type === 'text') return [{ from: 'user', text: one.text }];
    return one.type === 'tool_result' ? [{ from: 'tool', text: textOf(one.content) }] : [];
  });
}

const block = (answer: Answer): Body =>
  'text' in answer
    ? { type: 'text', text: answer.text }
    : { type: 'tool_use', id: newId('toolu'), name: answer.call.name, input: answer.call.input };

const stopReason = (answer: Answer) => ('text' in answer ? 'end_turn' : 'tool_use');

const envelope = ({ model }: Body) => ({
  id: newId('msg'),
  type: 'message',
  role: 'assistant',
  model,
  stop_sequence: null,
  usage: {
    input_tokens: usage.input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cached,
    output_tokens: usage.output,
  },
});
