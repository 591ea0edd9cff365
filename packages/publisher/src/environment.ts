import { parentIn } from './trace.ts';

/** Publishing settings from the environment. */
export type Settings = {
  /** The console's address, without a trailing slash. */
  url: string;
  token: string | null;
  runId: string | null;
  /** True when another process opens and closes the run. */
  owned: boolean;
  /** Which of how many parts of the run this process is. */
  shard: { index: number; count: number } | null;
  tag: string | null;
  session: string | null;
  suite: string | null;
  /** How long the console has to answer the initial ping. */
  probeMs: number;
  /** How long a test may run before it counts as stalled. */
  stallMs: number;
  /** The trace that this process is part of. */
  parent: string | null;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** The default address of the console; an IP address, because looking up `localhost` costs more. */
export const defaultUrl = 'http://127.0.0.1:5525';

/** The session that runs the tests: each agent program sets a variable for its commands. An inner program is checked first. */
const sessionVariables = ['CODEX_SESSION_ID', 'COPILOT_AGENT_SESSION_ID', 'CLAUDE_CODE_SESSION_ID'];

const off = new Set(['0', 'off', 'false', 'no']);
const runIdPattern = /^[a-z0-9][a-z0-9._-]{0,99}$/i;
/** Names that the console rejects because its archive is a file: Windows device names, and names that end with a dot. */
const noFileName = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)|\.$/i;
const isRunId = (text: string): boolean => runIdPattern.test(text) && !noFileName.test(text);

/** Options of the program override the environment. */
type Given = { readonly tag?: string; readonly url?: string; readonly token?: string };

/** Reads the settings; null if publishing is turned off. Empty means unset. */
export function readSettings(env: Environment, given: Given = {}): Settings | null {
  const word = (name: string) => env[name]?.trim() || null;
  if (off.has((word('SIGNALBOX') ?? '').toLowerCase())) return null;
  const url = addressOf(given.url?.trim() || word('SIGNALBOX_URL') || defaultUrl);
  if (url === null) return null;
  const runId = word('SIGNALBOX_RUN_ID');
  const number = (name: string, otherwise: number) => {
    const said = Number(word(name) ?? otherwise);
    return said > 0 ? said : otherwise;
  };
  return {
    url,
    token: given.token?.trim() || word('SIGNALBOX_TOKEN'),
    runId: runId !== null && isRunId(runId) ? runId.toLowerCase() : null,
    owned: word('SIGNALBOX_RUN_OWNER') !== null,
    shard: shardOf(word('SIGNALBOX_SHARD')),
    tag: given.tag?.trim() || word('SIGNALBOX_RUN_TAG'),
    session: sessionVariables.map(word).find((id) => id !== null) ?? null,
    suite: word('SIGNALBOX_SUITE'),
    probeMs: number('SIGNALBOX_PROBE_MS', 250),
    stallMs: number('SIGNALBOX_STALL_SECONDS', 60) * 1000,
    parent: parentIn(env),
  };
}

/** `2/3` is the second of three. */
function shardOf(text: string | null): Settings['shard'] {
  const [, index = '', count = ''] = /^(\d{1,5})\/(\d{1,5})$/.exec(text ?? '') ?? [];
  const shard = { index: Number(index), count: Number(count) };
  return shard.index >= 1 && shard.index <= shard.count ? shard : null;
}

function addressOf(text: string): string | null {
  try {
    const url = new URL(text.includes('://') ? text : `http://${text}`);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
    // `localhost` is replaced by the address that the console listens on first, because a lookup may take 100 ms.
    if (url.hostname === 'localhost') url.hostname = '127.0.0.1';
    let path = url.pathname;
    while (path.endsWith('/')) path = path.slice(0, -1);
    return `${url.origin}${path}`;
  } catch {
    return null;
  }
}
