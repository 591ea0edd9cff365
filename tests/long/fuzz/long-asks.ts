import { execFileSync } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { restRequest } from '../../../packages/service/src/browser/rest-request.ts';
import { routeOf } from '../../../packages/service/src/browser/route-of.ts';
import { consoleCommands } from '../../../packages/service/src/console/registry.ts';
import { coordinationCommands } from '../../../packages/service/src/coordination/registry.ts';
import type { AnyCommand } from '../../../packages/service/src/kernel/command.ts';
import type { Random } from '../../random.ts';
import { recorded } from '../../recorded-run.ts';
import type { Ask } from './grammar.ts';
import { longText, longValue } from './long-texts.ts';

type Command = AnyCommand<never>;
const ports = {
  coordination: coordinationCommands as readonly Command[],
  console: consoleCommands as readonly Command[],
};
const hasMembers = ({ input }: Command) => Object.keys(input.shape).length > 0;
const tools = ports.coordination.filter((command) => command.mcp !== false && hasMembers(command));
const json = { 'content-type': 'application/json' };
const inAddress = 12_000;
const inBody = 1_000_000;
const inBatch = 7_900_000;

/** One member of one command is long; a part of an address is as long as an address may be. */
function command(random: Random): Ask {
  const port = random.chance(0.8) ? 'coordination' : 'console';
  const { chosen, rest } = random.pick(
    ports[port].filter(hasMembers).flatMap((one) => (one.rest ? [{ chosen: one, rest: one.rest }] : [])),
  );
  const input: Record<string, unknown> = { ...random.pick(chosen.examples).input };
  for (const [, member = ''] of rest.path.matchAll(/\{(\w+)\}/g)) input[member] ??= 'x';
  const member = random.pick(Object.keys(chosen.input.shape));
  if ('timeoutSeconds' in chosen.input.shape) input.timeoutSeconds = 0.01;
  const isAddressed = rest.method === 'GET' || rest.path.includes(`{${member}}`) || rest.query?.includes(member);
  input[member] = isAddressed ? addressed(random) : longValue(random, inBody);
  const { method, path, body = '', mediaType } = restRequest(routeOf(rest), input);
  return {
    door: 'rest',
    port,
    method,
    path,
    headers: { 'content-type': mediaType ?? json['content-type'] },
    body: Buffer.from(body),
  };
}

const addressed = (random: Random) =>
  encodeURI(longText(random, inAddress).toWellFormed()).slice(0, inAddress).replace(/%.?$/, '');

function tool(random: Random): Ask {
  const chosen = random.pick(tools);
  const args: Record<string, unknown> = { ...random.pick(chosen.examples).input };
  args[random.pick(Object.keys(chosen.input.shape))] = longValue(random, inBatch);
  if ('timeoutSeconds' in chosen.input.shape) args.timeoutSeconds = 0.01;
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: chosen.name, arguments: args } };
  const headers = { ...json, accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  return {
    door: 'mcp',
    port: 'coordination',
    method: 'POST',
    path: '/api/mcp',
    headers,
    body: Buffer.from(JSON.stringify(message)),
  };
}

const runIdOf = (random: Random) => `run-${random.below(30)}`;

function batch(random: Random): Ask {
  const events = Array.from({ length: 1 + random.below(4) }, () => {
    const event = { ...random.pick(recorded), runId: runIdOf(random) } as Record<string, unknown>;
    const member = random.pick([...Object.keys(event), 'errorMessage', 'stackTrace', 'suite', 'uid', 'message']);
    if (member !== 'type' && member !== 'runId') event[member] = longValue(random, inBatch / 4);
    return event;
  });
  return ask('console', 'POST', '/api/ingest', json, JSON.stringify({ events }));
}

/** Accepted data is read again in every form. */
function reading(random: Random): Ask {
  const run = `/api/runs/${runIdOf(random)}`;
  const path = random.pick([
    run,
    `${run}/export?format=ctrf`,
    `${run}/export?format=junit`,
    `${run}/export?format=ndjson`,
    '/api/runs',
  ]);
  return ask(random.pick(['console', 'coordination'] as const), 'GET', path);
}

function failing(random: Random): Ask {
  const params = {
    name: random.pick(['failing_tests', 'flaky_tests', 'run_status']),
    arguments: { runId: runIdOf(random) },
  };
  const headers = { ...json, accept: 'application/json, text/event-stream' };
  return ask(
    'coordination',
    'POST',
    '/api/mcp',
    headers,
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  );
}

const headerNames = [
  'accept',
  'authorization',
  'cookie',
  'idempotency-key',
  'last-event-id',
  'content-type',
  'origin',
  'if-none-match',
  'user-agent',
];

function header(random: Random): Ask {
  const text = longText(random, inAddress)
    .replace(/[^\x20-\x7e]/g, 'x')
    .slice(0, inAddress);
  const [path, method] = random.pick([
    ['/api/plans', 'GET'],
    ['/api/messages', 'GET'],
    ['/api/ingest', 'POST'],
    ['/api/mcp', 'POST'],
  ] as const);
  return ask(
    path === '/api/ingest' ? 'console' : 'coordination',
    method,
    path,
    { [random.pick(headerNames)]: text },
    method === 'POST' ? '{}' : '',
  );
}

const ask = (
  port: Ask['port'],
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
): Ask => ({
  door: path === '/api/messages' ? 'stream' : 'rest',
  port,
  method,
  path,
  headers,
  body: Buffer.from(body),
});

/** Files that the service reads because somebody names them, or because of their location. */
function file(random: Random, home: string): Ask {
  const text = longText(random, random.pick([200_000, 1_000_000, 5_000_000]));
  const write = (path: string, content: string) => {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), content);
  };
  const kind = random.below(4);
  if (kind === 0) {
    const clone = `clone-${random.below(5)}`;
    write(
      `${clone}/.git/config`,
      random.pick([`[remote "origin"]\n\turl = ${text}`, text, `[${text}`, `[remote "${text}"]\n`]),
    );
    const event = {
      type: 'run_started',
      runId: `${runIdOf(random)}-${random.below(9)}`,
      repository: join(home, clone),
    };
    return ask('console', 'POST', '/api/ingest', json, JSON.stringify({ events: [event] }));
  }
  if (kind === 1) {
    write(
      `plans/p${random.below(3)}.yaml`,
      random.pick([text, `plan: a\ntitle: ${text}\n`, `plan: a\nnodes:\n  - ${text}`]),
    );
    return ask('coordination', 'POST', '/api/plans/rescan', json, '{}');
  }
  if (kind === 2) {
    const path = `.claude/projects/-x/${random.below(5)}0000000-0000-4000-8000-000000000000.jsonl`;
    const record = { type: 'user', timestamp: new Date().toISOString(), cwd: home, message: { content: text } };
    write(path, random.pick([text, `${JSON.stringify(record)}\n`, `${JSON.stringify({ ...record, cwd: text })}\n`]));
    utimesSync(join(home, path), new Date(), new Date());
    return ask('coordination', 'GET', '/api/agents');
  }
  write('shop/package.json', random.pick([text, JSON.stringify({ dependencies: { sdk: text } })]));
  write(
    'shop/a/A.csproj',
    random.pick([text, `<Project>${text}`, `<Project><PackageReference Include="sdk" Version="${text}"/></Project>`]),
  );
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  execFileSync('git', ['add', '-A'], { cwd: join(home, 'shop') });
  // Some of these have more bytes than an argument may have.
  execFileSync('git', [...author, 'commit', '-q', '--allow-empty', '-F', '-'], {
    cwd: join(home, 'shop'),
    input: `x\n\nPlan-Node: p/${text.replace(/\0/g, ' ').slice(0, 50_000)}`,
  });
  return ask('coordination', 'GET', '/api/plans/p/status');
}

/** One frame on the socket: very many requests of one kind, or one long request. */
function frame(random: Random): Ask {
  const request = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
  const chosen = random.pick(ports.coordination.filter(hasMembers));
  const input: Record<string, unknown> = { ...random.pick(chosen.examples).input };
  if ('timeoutSeconds' in chosen.input.shape) input.timeoutSeconds = 0.01;
  const long = { ...input, [random.pick(Object.keys(chosen.input.shape))]: longText(random, 400_000) };
  const one = random.pick<unknown>([
    0,
    null,
    {},
    [],
    request('subscribe', random.chance(0.5) ? { after: '1' } : {}),
    request('unsubscribe'),
    request('ping'),
    request('nothing at all'),
    request(chosen.name, input),
    request('search_notes', { q: searched(random) }),
    request(chosen.name, long),
    request(longText(random, 100_000)),
  ]);
  const text = JSON.stringify(one);
  const count = random.pick([1, 16, 255, 256, 257, 5_000, 200_000]);
  const fitting = Math.max(1, Math.min(count, Math.floor(1_000_000 / (text.length + 1))));
  const whole = fitting === 1 ? text : `[${Array(fitting).fill(text).join(',')}]`;
  return { ...ask('coordination', 'GET', '/api/socket', {}, whole), door: 'frame' };
}

/** Words that many notes begin with, or that are similar to such words. */
const searched = (random: Random): string =>
  Array.from({ length: 1 + random.below(20) }, () => {
    const word = random.pick(['abc', 'ab', 'a', 'abcd', 'a'.repeat(60), 'generator', 'xbc']);
    return `${word}${random.chance(0.5) ? random.below(2_000).toString(36) : ''}`;
  }).join(' ');

function note(random: Random): Ask {
  const words = Array.from({ length: 3_000 }, () => `abc${random.below(100_000).toString(36)}`).join(' ');
  const args = {
    owner: 'acme',
    name: 'shop',
    text: words.slice(0, 19_990),
    by: 'ada',
    topic: searched(random).slice(0, 90),
  };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'note_repository', arguments: args } };
  const headers = { ...json, accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  return ask('coordination', 'POST', '/api/mcp', headers, JSON.stringify(message));
}

const search = (random: Random): Ask =>
  ask('coordination', 'GET', `/api/memory?q=${encodeURIComponent(searched(random)).slice(0, 900)}`);

/** Events of unknown types: archived, and limited only by their bytes. */
function unknownEvents(random: Random): Ask {
  const events = Array.from({ length: 1 + random.below(2_000) }, () => ({
    type: random.pick(['nobody_knows', '__proto__', 'run_', '']),
    runId: runIdOf(random),
    text: 'x'.repeat(random.below(3_000)),
  }));
  return ask('console', 'POST', '/api/ingest', json, JSON.stringify({ events }));
}

/** The request with that number; some write a file first. */
export function longAskOf(random: Random, home: string): Ask {
  if (random.chance(0.35)) return random.pick([frame, frame, frame, search, search, note, unknownEvents])(random);
  const roll = random.next();
  if (roll < 0.25) return command(random);
  if (roll < 0.4) return tool(random);
  if (roll < 0.6) return batch(random);
  if (roll < 0.72) return reading(random);
  if (roll < 0.8) return failing(random);
  return roll < 0.9 ? header(random) : file(random, home);
}
