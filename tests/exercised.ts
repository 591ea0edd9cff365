import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

/** What a test reached: requests, tools, commands and settings, as the sentence of a requirement names them. */
export type Exercised = {
  requests: Set<string>;
  tools: Set<string>;
  words: Set<string>;
  settings: Set<string>;
  /** A configuration was read, with any content. */
  configured: boolean;
};

const nothing = (): Exercised => ({
  requests: new Set(),
  tools: new Set(),
  words: new Set(),
  settings: new Set(),
  configured: false,
});

/** What the module bodies and hooks of this file reached counts for all of its tests. */
let outside = nothing();
let current = outside;

/** Another file of tests begins. */
export function forgetOutside(): void {
  outside = nothing();
  current = outside;
}

const noteRequest = (method = 'GET', address = ''): void => {
  current.requests.add(`${method.toUpperCase()} ${new URL(address, 'http://here').pathname}`);
};

/** The environment, command line or settings that a service is started with. */
export function noteSettings(names: Iterable<string>): void {
  current.configured = true;
  for (const name of names) {
    const key = /^(?:--)?(?:Service(?::|__))?(\w+)/i.exec(name)?.[1];
    if (key) current.settings.add(key.toLowerCase());
  }
}

/** The command line was started with these arguments. */
export function noteCommandLine(args: readonly string[], env: Readonly<Record<string, string>>): void {
  current.words.add(args[0] ?? 'status');
  current.tools.add((args[0] ?? '').replaceAll('-', '_'));
  noteSettings([...args.filter((arg) => arg.startsWith('--')), ...Object.keys(env)]);
}

/** A command was called by its name on a socket. */
export function noteSocketCalls(text: string): void {
  for (const [, name = ''] of text.matchAll(/"method":"([a-z_]+)"/g)) current.tools.add(name);
}

/** Runs a test's body and returns what it reached, together with what was reached outside tests. */
export async function recordExercised(body: () => void | Promise<void>): Promise<Exercised> {
  const own = nothing();
  current = own;
  try {
    await body();
  } finally {
    current = outside;
  }
  return {
    requests: new Set([...own.requests, ...outside.requests]),
    tools: new Set([...own.tools, ...outside.tools]),
    words: new Set([...own.words, ...outside.words]),
    settings: new Set([...own.settings, ...outside.settings]),
    configured: own.configured || outside.configured,
  };
}

// All requests to a service in this process, and all requests of this process.
subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage };
  noteRequest(request.method, request.url);
});
subscribe('http.client.request.start', (message) => {
  const { request } = message as { request: ClientRequest };
  noteRequest(request.method, request.path);
});
const { fetch } = globalThis;
globalThis.fetch = (input, init) => {
  const address = input instanceof Request ? input.url : String(input);
  noteRequest(init?.method, address);
  // A tool's name is in the body of the call.
  if (address.includes('/api/mcp') && typeof init?.body === 'string') {
    for (const [, name = ''] of init.body.matchAll(/"name":"([a-z_]+)"/g)) current.tools.add(name);
  }
  return fetch(input, init);
};
