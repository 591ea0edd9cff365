/**
 * Who may import whom. The only place that grants an import; `scripts/check-imports.ts` walks every file against it.
 * A room is the longest folder of `rooms` that a file lies in. `npm:x` grants a package, `node` Node's own modules.
 */
export type Room = {
  /** Rooms, packages and `node` that its files may import, besides the room itself. */
  may: readonly string[];
  why?: string;
};

const src = 'packages/service/src';
const coordination = `${src}/coordination`;
const console = `${src}/console`;
const kernel = `${src}/kernel`;
const eventModel = 'packages/event-model/src';
/** The store of runs keeps the verdicts of the event model, behind a port of that package. */
const verdicts = `${eventModel}/verdicts.ts`;
const zod = 'npm:zod';
const web = 'packages/web/src';
const page = ['npm:react', 'npm:lucide-react', 'npm:wouter', 'npm:zustand'];
/** The service only through signalbox/browser/*, the one export it has for the page. */
const served = ['npm:signalbox', 'npm:@tanstack/react-query'];

/** Of which kind an event of the log is, with its type. */
const storedEvent = `${coordination}/stored-event.ts`;

const leaf = (...more: string[]): Room => ({ may: [kernel, zod, ...more] });
const files = `${src}/files`;
/** Shared with the publisher, which may import nothing: ids of traces. */
const traceIds = 'packages/publisher/src/trace.ts';
/** Shared with the publisher, which may import nothing. */
const safeGit = 'packages/publisher/src/sender/safe-git-dir.ts';
const platform = `${src}/platform`;
/** How each system writes down when a process started: of what differs between systems, the part that pure rooms may use. */
const processStart = `${platform}/process-start.ts`;
const telemetry = `${src}/telemetry`;
const eventLoop = `${src}/event-loop`;
/** Long work as steps, without a clock: the part of the event loop that pure rooms may use. */
const task = `${eventLoop}/task.ts`;
/** Suites, tests and searches of runs, as both ports answer them. */
const runContract = `${src}/run-contract`;
const io = (room: string, ...more: string[]): Room => ({ may: [kernel, room, files, zod, 'node', ...more] });

export const rooms: Record<string, Room> = {
  [kernel]: { may: [zod, task] },
  [runContract]: { may: [kernel, zod], why: 'the console and coordination, which may not import each other, share it' },
  [files]: { may: ['node', safeGit], why: 'reading and writing files safely, for every room that touches the disk' },

  [eventLoop]: { may: [], why: 'how long work of every room shares a turn of the event loop with those who wait' },
  [platform]: { may: [kernel, 'node'], why: 'what differs between Linux, macOS and Windows; nothing else asks' },

  [`${coordination}/plans`]: leaf('npm:yaml', `${coordination}/*/contract.ts`, storedEvent),
  [`${coordination}/plans/io`]: io(`${coordination}/plans`),
  [`${coordination}/access`]: leaf(storedEvent),
  [`${coordination}/claims`]: leaf(storedEvent),
  [`${coordination}/agents`]: leaf(processStart),
  [`${coordination}/agents/io`]: io(`${coordination}/agents`, platform),
  [`${coordination}/observers`]: leaf(
    `${coordination}/agents`,
    `${coordination}/trees`,
    `${coordination}/hosts/contract.ts`,
  ),
  [`${coordination}/trees`]: leaf(`${coordination}/agents`),
  [`${coordination}/trees/io`]: io(`${coordination}/trees`, platform, safeGit),
  [`${coordination}/repositories`]: leaf(storedEvent),
  [`${src}/receivers`]: {
    may: [kernel],
    why: 'what the settings name and notifications are sent to; a console reads the same settings',
  },
  [telemetry]: {
    may: [kernel],
    why: 'what OpenTelemetry is sent, as its protocol has it; rooms on both sides make spans of their own',
  },
  [`${telemetry}/io`]: { may: [kernel, telemetry, eventLoop, 'node', traceIds] },
  [`${coordination}/notify`]: leaf(storedEvent, `${src}/receivers`, ...under('agents', 'plans', 'runs', 'work')),
  [`${coordination}/notify/io`]: io(`${coordination}/notify`, `${src}/receivers`),
  [`${coordination}/evidence`]: leaf(
    `${coordination}/plans`,
    `${coordination}/runs`,
    storedEvent,
    'npm:saxes',
    'npm:semver',
  ),
  [`${coordination}/evidence/io`]: io(
    `${coordination}/evidence`,
    `${coordination}/plans`,
    safeGit,
    'npm:@octokit/request',
  ),
  [`${coordination}/work`]: leaf(
    task,
    storedEvent,
    `${coordination}/plans`,
    `${coordination}/claims`,
    `${coordination}/agents`,
    `${coordination}/trees`,
    `${coordination}/evidence`,
    telemetry,
  ),
  [`${coordination}/needs`]: leaf(
    `${coordination}/access`,
    `${coordination}/hosts`,
    `${coordination}/agents`,
    `${coordination}/evidence`,
    `${coordination}/plans`,
    `${coordination}/runs`,
    `${coordination}/trees`,
    `${coordination}/work`,
  ),
  [`${coordination}/activity`]: leaf(
    storedEvent,
    runContract,
    ...under('agents', 'claims', 'evidence', 'needs', 'plans', 'runs', 'work'),
  ),
  [`${coordination}/runs`]: leaf(runContract),
  [`${coordination}/runs/io`]: io(
    `${coordination}/runs`,
    runContract,
    `${src}/browser`,
    `${src}/browser/api.ts`,
    'npm:eventsource-parser',
  ),
  [`${coordination}/runs/io/runs-in-process.ts`]: {
    may: [kernel, runContract, `${coordination}/runs`, console, `${console}/runs`, `${eventModel}/queries.ts`],
    why: 'the one bridge from coordination to the console in the same process',
  },
  [`${coordination}/hosts`]: leaf(
    runContract,
    `${coordination}/agents`,
    `${coordination}/trees`,
    `${coordination}/runs`,
  ),
  [`${coordination}/hosts/io`]: io(`${coordination}/hosts`, platform),
  [`${coordination}/events.ts`]: { may: [kernel, `${coordination}/*/events.ts`], why: 'the one map of all events' },
  [storedEvent]: { may: [kernel, `${coordination}/events.ts`], why: 'types what is read from the log, for every room' },
  [coordination]: {
    may: [
      kernel,
      runContract,
      ...under(
        'access',
        'plans',
        'claims',
        'agents',
        'observers',
        'activity',
        'trees',
        'evidence',
        'work',
        'needs',
        'runs',
        'notify',
        'repositories',
        'hosts',
      ),
    ],
  },

  [`${console}/runs`]: leaf(runContract, telemetry, verdicts),
  [`${console}/runs/io`]: io(`${console}/runs`, runContract, eventLoop, verdicts),
  [console]: { may: [kernel, `${console}/runs`, `${eventModel}/registry.ts`] },

  [eventModel]: {
    may: [kernel, task, zod, 'npm:yaml'],
    why: 'a package of its own, composed by the console; of the service it knows the kernel alone',
  },
  [`${eventModel}/io`]: io(eventModel, eventLoop),

  [`${src}/browser`]: {
    may: [
      `${src}/browser/api.ts`,
      kernel,
      runContract,
      coordination,
      `${coordination}/*/contract.ts`,
      ...under('activity', 'claims', 'evidence', 'needs', 'plans', 'runs', 'work'),
      console,
      `${console}/runs`,
      `${eventModel}/contract.ts`,
      `${eventModel}/diagram/layout.ts`,
      `${eventModel}/diagram/paint.ts`,
    ],
    why: 'what the page and other clients may import: types, folds, the route table; no value of it brings zod along',
  },

  [`${src}/browser/api.ts`]: {
    may: [kernel, coordination, console, `${src}/browser`, zod],
    why: 'types alone, inferred from the registries; nothing of it is left at run time',
  },

  [`${src}/client`]: {
    may: [`${src}/browser`, `${src}/browser/api.ts`],
    why: 'what is published as signalbox-client: it runs in browsers too, so it brings nothing along',
  },

  [`${src}/observer`]: {
    may: [
      kernel,
      'node',
      `${src}/app/setting-kinds.ts`,
      `${src}/app/system-clock.ts`,
      `${src}/app/version.ts`,
      `${coordination}/agents`,
      `${coordination}/agents/io`,
      `${coordination}/trees`,
      `${coordination}/trees/io`,
      `${coordination}/hosts/last-shared.ts`,
      `${coordination}/observers/contract.ts`,
      `${coordination}/observers/observed-changes.ts`,
    ],
    why: 'what runs where agents run: one file without packages, from the same readers as the service',
  },

  [`${src}/oidc`]: {
    may: [kernel, `${src}/edge`, 'node', 'npm:jose', 'npm:oauth4webapi'],
    why: 'signing in at a provider; loaded only where one is set',
  },

  [`${src}/store`]: { may: [kernel, files, 'node'] },
  [`${src}/store/postgres`]: { may: [kernel, files, `${src}/store`, 'node', 'npm:pg'] },

  [`${src}/edge`]: {
    may: [
      kernel,
      eventLoop,
      `${telemetry}/trace-parent.ts`,
      zod,
      'node',
      'npm:fastify',
      'npm:@modelcontextprotocol/server',
      'npm:@modelcontextprotocol/node',
      'npm:ws',
      'npm:prom-client',
    ],
  },
  [`${src}/app`]: {
    may: [
      `${src}/*`,
      `${eventModel}/queries.ts`,
      verdicts,
      `${eventModel}/io/open-event-model.ts`,
      zod,
      'node',
      'npm:fastify',
      'npm:pino',
      'npm:jose',
      'npm:prom-client',
      'packages/service/package.json',
    ],
  },
  [`${src}/cli`]: {
    may: [
      kernel,
      `${src}/app`,
      `${src}/*`,
      `${eventModel}/written/model-file.ts`,
      'packages/publisher/src/remote-id.ts',
      traceIds,
      zod,
      'node',
      'npm:@octokit/request',
      'npm:acorn',
      'npm:commander',
      'npm:eventsource-parser',
      'npm:jose',
      'npm:jsonc-parser',
      'npm:saxes',
      'npm:yaml',
    ],
  },

  testing: {
    may: ['packages/*', zod, 'npm:vitest'],
    why: 'clocks, stores and models for tests and benchmarks; granted to no other room, so it is never published',
  },

  'packages/publisher': {
    may: ['node', 'npm:*'],
    why: 'frameworks as peer types only; it has no dependency of its own',
  },
  [`${web}/ui`]: { may: [...page, 'npm:@tanstack/react-virtual'], why: 'knows nothing of the service' },
  [`${web}/paths.ts`]: { may: [], why: 'the address of every page' },
  [`${web}/live`]: { may: [...page, ...served], why: 'transport: calls, hub, connection, cache' },
  [`${web}/features`]: { may: [...page, ...served, 'npm:diff', ...webRooms('ui', 'live', 'paths.ts')] },
  [`${web}/shell`]: { may: [...page, ...webRooms('ui', 'live', 'paths.ts', 'features')] },
  [web]: {
    may: [
      ...page,
      'npm:react-dom',
      'npm:@tanstack/react-query',
      ...webRooms('ui', 'live', 'paths.ts', 'features', 'shell'),
    ],
  },
};

function under(...names: string[]): string[] {
  return names.map((name) => `${coordination}/${name}`);
}

function webRooms(...names: string[]): string[] {
  return names.map((name) => `${web}/${name}`);
}
