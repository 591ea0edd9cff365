import type { Answer, Call, Conversation, Message, OfferedTool } from './conversation.ts';

/** The answers of earlier tools in this script, the newest last, with quotes unescaped. */
export type Seen = readonly string[];
/** `words`: everything the client has sent since: its tools, their answers, and what hooks add. */
type From<Value> = Value | ((seen: Seen, words: string) => Value);

/** One turn of the model. `after` delays the answer until the test releases it. */
export type Step = { after?: Promise<unknown> } & (
  | { say: string }
  | { signalbox: string; input?: From<object> }
  | { shell: From<string> }
  | { subagent: string; input?: object }
  | { tool: string; input?: From<object> }
);
export type Script = readonly Step[];

/** How a prompt names its script. */
export const playing = (name: string): string => `Please play script <${name}>.`;
const named = /play script <([\w-]+)>/;

export type Position = { name: string; at: number; seen: Seen; beside: readonly string[] };

/** The newest user message that names a script begins it; each answer of the model since then is one step. */
export function positionOf({ messages }: Conversation): Position | null {
  const start = messages.findLastIndex((message) => message.from === 'user' && named.test(message.text));
  const first = messages[start];
  if (first?.from !== 'user') return null;
  const since = messages.slice(start + 1);
  const steps = since.filter((message) => message.from === 'model' && !isSearch(message));
  const seen = since.flatMap((message) => (message.from === 'tool' ? [message.text.replaceAll('\\"', '"')] : []));
  const beside = since.flatMap((message) => (message.from === 'user' ? [message.text] : []));
  return { name: named.exec(first.text)?.[1] ?? '', at: steps.length, seen, beside };
}

/** Claude Code first fetches the schemas of MCP tools with its own tool. Such an answer is not a step. */
const isSearch = (message: Message) =>
  message.from === 'model' && message.calls.some(({ name }) => name === 'ToolSearch');

/** Turns a step into a call of a tool that this client offers. */
export function answerOf(step: Step, { seen, beside }: Position, conversation: Conversation): Answer {
  const { tools } = conversation;
  const words = [...tools.map((tool) => tool.words ?? ''), ...seen, ...beside].join('\n');
  if ('say' in step) return { text: step.say };
  if ('shell' in step) return shellCall(resolved(step.shell, seen, words), tools);
  if ('subagent' in step) return subagentCall(step.subagent, step.input ?? {}, tools);
  const input = resolved(step.input ?? {}, seen, words);
  const wanted = 'signalbox' in step ? step.signalbox : step.tool;
  const tool = tools.find(({ name }) => name === wanted) ?? tools.find(({ name }) => endsWith(name, wanted));
  if (tool) return { call: callOf(tool, input) };
  if (!('signalbox' in step) || !tools.some(({ name }) => name === 'ToolSearch')) return missing(wanted, tools);
  const name = `mcp__signalbox__${wanted}`;
  const searched = conversation.messages.filter(isSearch).some((message) => JSON.stringify(message).includes(name));
  return {
    call: searched ? { name, input } : { name: 'ToolSearch', input: { query: `select:${name}`, max_results: 5 } },
  };
}

const callOf = ({ words: _, ...tool }: OfferedTool, input: object): Call => ({ ...tool, input });
const endsWith = (name: string, wanted: string) => new RegExp(`[^a-z]${wanted}$`, 'i').test(name);
const missing = (wanted: string, tools: readonly OfferedTool[]): Answer => ({
  text: `No tool ${wanted} is offered, only ${tools.map(({ name }) => name).join(', ')}`,
});

function resolved<Value>(value: From<Value>, seen: Seen, words: string): Value {
  return typeof value === 'function' ? (value as (seen: Seen, words: string) => Value)(seen, words) : value;
}

const description = 'scripted step';
const shells: Record<string, (command: string) => object> = {
  Bash: (command) => ({ command, description }),
  exec_command: (cmd) => ({ cmd }),
  shell_command: (command) => ({ command }),
  shell: (command) => ({ command: ['bash', '-c', command] }),
  run_shell_command: (command) => ({ command, description }),
  bash: (command) => ({ command, description }),
};

function shellCall(command: string, tools: readonly OfferedTool[]): Answer {
  const tool = tools.find(({ name }) => name in shells);
  const input = tool && shells[tool.name]?.(command);
  return tool && input ? { call: callOf(tool, input) } : missing('shell', tools);
}

const subagents: Record<string, (prompt: string) => object> = {
  Agent: (prompt) => ({ description, prompt, subagent_type: 'general-purpose' }),
  Task: (prompt) => ({ description, prompt, subagent_type: 'general-purpose' }),
  task: (prompt) => ({ description, prompt, subagent_type: 'general', agent_type: 'general-purpose', name: 'helper' }),
  spawn_agent: (message) => ({ message, task_name: 'helper' }),
  invoke_agent: (prompt) => ({ prompt }),
};

function subagentCall(script: string, more: object, tools: readonly OfferedTool[]): Answer {
  const tool = tools.find(({ name }) => name in subagents);
  const input = tool && subagents[tool.name]?.(playing(script));
  const call = tool && input && callOf(tool, { ...input, ...more });
  return call ? { call } : missing('subagent', tools);
}

/** The latest claim of a script: `plan`, `node`, `fence`, read from the part of the answer that the client passed on. */
export function claimIn(seen: Seen): { plan: string; node: string; fence: number } {
  const text = seen.findLast((one) => /"claimed":\s*true/.test(one)) ?? '';
  const [, plan = '', node = ''] =
    /"ref":\s*"([^"/]+)\/([^"]+)"/.exec(text) ?? /"plan":\s*"([^"]+)"[^}]*?"(?:id|node)":\s*"([^"]+)"/.exec(text) ?? [];
  return { plan, node, fence: Number(/"fence":\s*(\d+)/.exec(text)?.[1] ?? Number.NaN) };
}
