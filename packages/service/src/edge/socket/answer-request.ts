import { answerText } from '../../kernel/answer-text.ts';
import { type AnyCommand, statusOf } from '../../kernel/command.ts';
import { type CallOrigin, type DispatchContext, dispatch } from '../../kernel/dispatch.ts';
import { type Document, isDocument } from '../../kernel/document.ts';
import { ListPage } from '../../kernel/list.ts';
import { nearest } from '../../kernel/nearest.ts';
import { isRefusal, type Refusal, refuse, refuseShape } from '../../kernel/outcome.ts';
import { type RpcId, type RpcRequest, refusalText, resultText, splitKey } from './rpc.ts';

/** Writes the JSON text of a response: long ones are written one after the other, once the line has room for them. */
export type WriteAnswer = () => string | Promise<string>;
export type AnswerRequest = {
  (request: RpcRequest & { id: RpcId }, by: CallOrigin): Promise<WriteAnswer>;
  /** Whether it is answered from what is there now: it neither writes nor waits for something to happen. */
  isRead(method: string): boolean;
};

/** Calls that were answered, by command, and those of them that were refused, by the code of the refusal. */
export type SocketCounts = { calls: Map<string, number>; refusals: Map<string, number> };

const countUp = (counts: Map<string, number>, word: string) => void counts.set(word, (counts.get(word) ?? 0) + 1);

/** Every command of a registry by its name: what REST answers, and the commands that REST does not have. */
export function answersOf<Ctx extends DispatchContext>(
  commands: readonly AnyCommand<Ctx>[],
  ctx: Ctx,
  counts: SocketCounts,
): AnswerRequest {
  const byName = new Map(commands.map((command) => [command.name, command]));
  const refused = (id: RpcId, refusal: Refusal, code?: 'unknownMethod'): WriteAnswer => {
    countUp(counts.refusals, refusal.code);
    return () => refusalText(id, refusal, code);
  };
  const stale = () => {
    const since = ctx.freshness?.().staleSince ?? null;
    return since === null ? {} : { stale: { since } };
  };
  const answer = async ({ id, method, params }: RpcRequest & { id: RpcId }, by: CallOrigin): Promise<WriteAnswer> => {
    const command = byName.get(method);
    if (!command) return refused(id, unknownMethod(method, [...byName.keys()]), 'unknownMethod');
    countUp(counts.calls, command.name);
    const split = splitKey(params);
    if (isRefusal(split)) return refused(id, split);
    const out = await dispatch(command, ctx, split.input, { transport: 'socket', key: split.key, by });
    if (isRefusal(out)) return refused(id, out);
    if (isDocument(out)) return () => documentText(id, out, command.rest?.answers !== undefined);
    if (out instanceof ListPage) {
      const { items, total, next } = out;
      return () => resultText(id, JSON.stringify(items), { page: { total, next }, ...stale() });
    }
    const isEmpty = command.rest && statusOf(command.rest, out) === 204;
    return () => resultText(id, isEmpty ? '{}' : answerText(out), stale());
  };
  const isRead = (method: string): boolean => {
    const command = byName.get(method);
    return command?.effect === 'read' && !('timeoutSeconds' in command.input.shape);
  };
  return Object.assign(answer, { isRead });
}

function unknownMethod(method: string, names: readonly string[]): Refusal {
  const likely = nearest(method, names);
  const hint = likely ? `did you mean ${likely}?` : 'the reference lists the commands';
  return refuseShape([{ path: 'method', message: `unknown command ${method.slice(0, 60)}; ${hint}` }]);
}

/** What is longer is read over REST, where it comes piece by piece. */
const maxDocumentLength = 16 * 1024 * 1024;

async function documentText(id: RpcId, { body, path }: Document, isText: boolean): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  const parts = typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
  for await (const part of parts) {
    text += typeof part === 'string' ? part : decoder.decode(part, { stream: true });
    if (text.length > maxDocumentLength)
      return refusalText(
        id,
        refuse('body_too_large', `The answer is too long for a socket. Use GET ${path ?? 'over REST'}.`),
      );
  }
  // An answer that is JSON of a command's own shape is one as it stands.
  return resultText(id, isText ? JSON.stringify(text) : text);
}
