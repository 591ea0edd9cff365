import { type Answer, type Body, type Dialect, type Message, newId, textOf, usage } from './conversation.ts';

/** OpenAI Chat Completions: `POST /v1/chat/completions`. */
export const chatCompletions: Dialect = {
  conversation: (body) => ({
    messages: (body.messages ?? []).flatMap(messageOf),
    tools: (body.tools ?? []).map((tool: Body) => ({ name: tool.function?.name ?? tool.name })),
  }),
  whole: (answer, body) => ({
    ...envelope(body, 'chat.completion'),
    choices: [{ index: 0, message: messageFrom(answer), finish_reason: finishReason(answer) }],
    usage: counted,
  }),
  events(answer, body) {
    const base = envelope(body, 'chat.completion.chunk');
    const choice = (delta: object, finish_reason: string | null) => [{ index: 0, delta, finish_reason }];
    return [
      { data: { ...base, choices: choice(messageFrom(answer), null) } },
      { data: { ...base, choices: choice({}, finishReason(answer)), usage: counted } },
      { data: '[DONE]' },
    ];
  },
};

function messageOf(message: Body): Message[] {
  if (message.role === 'user') return [{ from: 'user', text: textOf(message.content) }];
  if (message.role === 'tool') return [{ from: 'tool', text: textOf(message.content) }];
  if (message.role !== 'assistant') return [];
  const calls = (message.tool_calls ?? []).map((call: Body) => ({ name: call.function?.name, input: {} }));
  return [{ from: 'model', calls }];
}

function messageFrom(answer: Answer): object {
  if ('text' in answer) return { role: 'assistant', content: answer.text };
  const { name, input } = answer.call;
  const call = { index: 0, id: newId('call'), type: 'function', function: { name, arguments: JSON.stringify(input) } };
  return { role: 'assistant', content: null, tool_calls: [call] };
}

const finishReason = (answer: Answer) => ('text' in answer ? 'stop' : 'tool_calls');

const envelope = ({ model }: Body, object: string) => ({
  id: newId('chatcmpl'),
  object,
  created: Math.floor(Date.now() / 1000),
  model,
});

const counted = {
  prompt_tokens: usage.input + usage.cached,
  prompt_tokens_details: { cached_tokens: usage.cached },
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.cached + usage.output,
};
