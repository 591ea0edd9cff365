import { type Answer, type Body, type Dialect, type Message, newId, usage } from './conversation.ts';

/** Gemini: `POST /v1beta/models/<model>:generateContent` and `:streamGenerateContent`. */
export const gemini: Dialect = {
  conversation: (body) => ({
    messages: (body.contents ?? []).flatMap(messagesOf),
    tools: (body.tools ?? []).flatMap((tool: Body) =>
      (tool.functionDeclarations ?? []).map(({ name }: Body) => ({ name })),
    ),
  }),
  whole: candidate,
  events: (answer) => [{ data: candidate(answer) }],
};

function messagesOf({ role, parts = [] }: Body): Message[] {
  if (role === 'model') {
    const calls = parts.flatMap((part: Body) =>
      part.functionCall ? [{ name: part.functionCall.name, input: {} }] : [],
    );
    return [{ from: 'model', calls }];
  }
  return parts.flatMap((part: Body): Message[] => {
    if (typeof part.text === 'string') return [{ from: 'user', text: part.text }];
    const answered = part.functionResponse?.response;
    return answered === undefined ? [] : [{ from: 'tool', text: JSON.stringify(answered) }];
  });
}

function candidate(answer: Answer): object {
  const part =
    'text' in answer
      ? { text: answer.text }
      : { functionCall: { id: newId('fc'), name: answer.call.name, args: answer.call.input } };
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: usage.input + usage.cached,
      cachedContentTokenCount: usage.cached,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.cached + usage.output,
    },
    modelVersion: 'scripted',
  };
}
