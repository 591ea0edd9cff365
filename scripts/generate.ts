import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { consoleReference } from '../packages/service/src/app/console-reference.ts';
import { coordinationReference } from '../packages/service/src/app/reference.ts';
import { settingKeys, settingOf } from '../packages/service/src/app/settings.ts';
import { version } from '../packages/service/src/app/version.ts';
import { routeOf } from '../packages/service/src/browser/route-of.ts';
import { consoleCommands } from '../packages/service/src/console/registry.ts';
import { ingestAnswer } from '../packages/service/src/console/runs/contract.ts';
import {
  type ListOf,
  type Members,
  monitorEvents,
  type ObjectWith,
  type Plain,
} from '../packages/service/src/console/runs/events.ts';
import { knownWords } from '../packages/service/src/console/runs/outcome-words.ts';
import { longestText } from '../packages/service/src/console/runs/read-event.ts';
import { storedEvents } from '../packages/service/src/coordination/events.ts';
import { coordinationCommands } from '../packages/service/src/coordination/registry.ts';
import {
  healthRoute,
  licenceRoute,
  loginRoutes,
  pingRoute,
  readyRoute,
} from '../packages/service/src/edge/extra-routes.ts';
import { webhookRoute } from '../packages/service/src/edge/github-webhook.ts';
import { messagesRoute } from '../packages/service/src/edge/hub/server-sent-events.ts';
import { negotiateRoute } from '../packages/service/src/edge/hub/signalr.ts';
import { ingestRoute } from '../packages/service/src/edge/ingest-route.ts';
import { toolOf, toolsOf } from '../packages/service/src/edge/mcp-tools.ts';
import { meRoute } from '../packages/service/src/edge/me-route.ts';
import { metricsRoute } from '../packages/service/src/edge/metrics.ts';
import { type ExtraRoute, openApiOf } from '../packages/service/src/edge/openapi.ts';
import { refusalStatus } from '../packages/service/src/edge/problem.ts';
import { runTokenRoute } from '../packages/service/src/edge/run-token-route.ts';
import { signInRoutes } from '../packages/service/src/edge/sign-in.ts';
import { socketRoute } from '../packages/service/src/edge/socket/socket-route.ts';
import { storyRoutes } from '../packages/service/src/edge/story-route.ts';
import type { AnyCommand } from '../packages/service/src/kernel/command.ts';
import { messages } from '../packages/service/src/kernel/messages.ts';
import { interfaceChecks } from '../tests/interface/checks.ts';
import { sentences } from '../tests/interface/sentences.ts';
import { clientTypes } from './client-types.ts';

// Writes docs/reference, the clients' route table and their types from the registries, or with --check lists what is out of date.
const root = join(import.meta.dirname, '..');
const coordination = coordinationCommands as readonly AnyCommand<never>[];
const console = consoleCommands as readonly AnyCommand<never>[];

const ofIngest = ingestRoute(ingestAnswer);
const onBothPorts = [healthRoute, readyRoute, metricsRoute, ...loginRoutes, ...signInRoutes, meRoute];

const described = ({ title, address }: { title: string; address: string }) => ({ title, version, server: address });
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const aboutTools = `Every tool takes the arguments of its REST twin and returns the same body, as \`structuredContent\` and as text. A refusal is the same problem object with
\`isError\`; a claim lost to another agent is not an error: \`{ "claimed": false, "heldBy", "heldUntil" }\`.

- A list answers \`{ items, total, next }\`, 20 items unless \`limit\` says otherwise; \`next\` holds the \`offset\` of the following page, or is null.
- \`maxBytes\` (default 8192, 256 to 1048576) limits an answer. Whole items are dropped from the end of the longest list; then \`truncated\` is true, \`leftOff\`
  counts them, and \`next\` leads to the next page, if there are pages. \`detail\` reports when the next item alone is too large.
- \`requestId\` makes a repeated call safe: within 24 hours, the same id returns the first answer again.`;

function toolsPage(): string {
  const tools = toolsOf(coordination, null).map((command) => ({ command, tool: toolOf(command) }));
  const sections = tools.map(({ command, tool }) => {
    const members = Object.entries(tool.inputSchema.properties ?? {}).map(
      ([name, schema]) =>
        `| \`${name}\` | ${tool.inputSchema.required?.includes(name) ? 'yes' : ''} | \`${JSON.stringify(schema).replaceAll('|', '\\|')}\` |`,
    );
    const twin = command.rest ? `\`${command.rest.method} ${command.rest.path}\`` : 'none';
    return `## ${tool.name}\n\n${tool.description}\n\nREST twin: ${twin}\n\n| argument | required | schema |\n|---|---|---|\n${members.join('\n')}\n`;
  });
  return `# MCP tools\n\nServed at \`/api/mcp\` on the coordination port. \`/api/mcp?tools=work\` offers the work loop alone.\n\n${aboutTools}\n\n${sections.join('\n')}`;
}

function configPage(): string {
  const rows = settingKeys.map((key) => {
    const { kind, meaning, default: otherwise, unset = 'unset', workingDirectory } = settingOf(key);
    const takes = `${kind.takes.replace(/^an? /, '')}${kind.note ? ` (${kind.note})` : ''}`;
    const shown = otherwise === null ? unset : otherwise === '' ? 'none' : `\`${otherwise}\``;
    return `| \`Service:${key}\` | ${meaning} | ${takes} | ${shown} | ${workingDirectory ? 'yes' : 'no'} |`;
  });
  return `# Configuration\n\nPrecedence, lowest first: \`~/.signalbox/signalbox.json\`, \`signalbox.json\` in the working directory, the environment (\`Service__PlansPath\`), the command line (\`--Service:PlansPath=plans\`).\nThe file in the working directory may belong to a cloned repository. If it sets a key that is marked "no" in the last column, the start fails.\nIf a value is outside its bounds, the start fails with a line that names them. \`signalbox doctor\` lists which settings are set, and where.\nThe listening address is set by \`HOST\`, \`PORT\` and \`CONSOLE_PORT\` only in the environment, traces and metrics by the [variables of OpenTelemetry](../guides/opentelemetry.md).\n\n| key | meaning | value | default | working directory |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
}

const interfaceSections: Readonly<Record<string, string>> = {
  1: 'What the service does',
  2: 'Resources and their fields',
  3: 'States and transitions',
  4: 'Endpoints',
  5: 'Authentication',
  6: 'Events',
  7: 'Errors',
  8: 'Limits',
};

function interfacePage(): string {
  const checks = interfaceChecks();
  const all = Object.entries(sentences);
  const rowOf = ([number, says]: [string, string]) => {
    const proven = checks.filter(({ numbers }) => numbers.includes(number));
    return `| ${number} | ${says.replaceAll('|', '\\|')} | ${proven.map(({ title, file }) => `${title} (\`${file}\`)`).join('; ')} |`;
  };
  const sections = Object.entries(interfaceSections).map(([section, title]) => {
    const rows = all.filter(([number]) => number.startsWith(`${section}.`)).map(rowOf);
    return `## ${section}. ${title}\n\n| | sentence | checked by |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# What the interface promises\n\nSignalbox implements an interface document for a coordination service and a run console. These are its ${all.length} sentences that can be checked from outside, with the\ntests in \`tests/interface\` that check them on the running service, by REST, MCP, SignalR and the command line: \`npm test -- interface\`. What the document leaves open is in the rest of this reference.\n\n${sections.join('\n')}`;
}

function errorsPage(): string {
  const rows = Object.entries(refusalStatus).map(([code, [status, title]]) => `| \`${code}\` | ${status} | ${title} |`);
  return `# Error codes\n\nEvery error is a problem object (\`application/problem+json\`) with \`type\`, \`title\`, \`status\`, \`detail\` and \`code\`. The codes are stable: switch on \`code\`, show \`detail\`, which names the next step.\n\`invalid_request\` lists every fault in \`errors: [{ path, message }]\`. The same object is the \`structuredContent\` of an MCP tool with \`isError\`, and \`error.data\` on the socket.\nA claim that another agent holds is not an error: 409 with \`{ claimed: false, heldBy, heldUntil }\`.\n\n| code | status | meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}

const kinds: Record<Plain, string> = {
  text: 'text',
  name: `text of at most ${longestText} characters`,
  content: 'base64',
  displayText: 'any single value, shown as text',
  integer: 'whole number',
  flag: 'true or false',
  time: 'time, ISO 8601',
  textList: 'list of texts',
  integers: 'list of whole numbers',
  stringMap: 'object of texts',
};

const memberRows = (members: Members, before = ''): string[] =>
  Object.entries(members).flatMap(([name, kind]: [string, Plain | ListOf | ObjectWith]) => {
    const cell = `| \`${before}${name}\``;
    if (typeof kind === 'string') return [`${cell} | ${kinds[kind]} |`];
    return 'of' in kind
      ? [`${cell} | list of objects |`, ...memberRows(kind.of, `${before}${name}[].`)]
      : [`${cell} | object |`, ...memberRows(kind.with, `${before}${name}.`)];
  });

function eventsPage(): string {
  const sections = Object.entries(monitorEvents).map(
    ([type, members]) => `## ${type}\n\n| member | holds |\n|---|---|\n${memberRows(members).join('\n')}\n`,
  );
  return `# Monitor events\n\nThe body of \`POST /api/ingest\` on the console port is \`{ "events": [...] }\`. Every event has \`type\` and \`runId\`; every other member may be omitted or null. Unknown types and members are kept in the archive and otherwise ignored. Durations are in milliseconds. Texts of more than ${longestText} characters are kept in the archive and shown shortened. \`outcome\` of a finished scenario and \`state\` of a finished test are one of ${knownWords}, in any case and spelling; an event with any other value, or none, is rejected.\n\n${sections.join('\n')}`;
}

type JsonSchema = {
  type?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  $ref?: string;
};

/** Members with short types; nested objects are shown only by their kind. */
const memberKind = ({ type, items, anyOf, $ref }: JsonSchema): string =>
  anyOf?.map(memberKind).join(' or ') ??
  $ref?.split('/').at(-1) ??
  (items ? `list of ${memberKind(items)}s` : type) ??
  'anything';

function memberTable(data: z.ZodType): string {
  const { properties = {} } = z.toJSONSchema(data) as JsonSchema;
  const rows = Object.entries(properties).map(([name, schema]) => `| \`${name}\` | ${memberKind(schema)} |`);
  return rows.length > 0 ? `| member | holds |\n|---|---|\n${rows.join('\n')}\n` : 'No members.\n';
}

function messagesPage(): string {
  const sections = Object.entries(messages).map(([type, { sentWhen, data }]) => {
    return `## ${type}\n\nSent when ${sentWhen}.\n\n${memberTable(data)}`;
  });
  return `# Hub messages\n\nThe messages that \`/api/messages\` on the coordination port sends, as the \`data\` of CloudEvents; \`guides/hub.md\` explains how to receive them.\n\n${sections.join('\n')}`;
}

const extraRouteOf = ({ method, path, operation }: ExtraRoute, more: object = {}) =>
  `  ${operation.operationId}: ${JSON.stringify({ method, path, ...more })},`;

const routeLines = (commands: readonly AnyCommand<never>[], extra: readonly string[]): string =>
  [
    ...commands.flatMap(({ name, rest, repeatable }) =>
      rest ? [`  ${name}: ${JSON.stringify({ ...routeOf(rest), repeatable })},`] : [],
    ),
    ...extra,
  ].join('\n');

/** The routes without their schemas, so that a client needs no zod. */
const routesFile = (): string => `import type { Route } from './rest-request.ts';

// Written by scripts/generate.ts from the registries: run "npm run docs".

/** How the calls of port 5526 are sent. */
export const routes = {
${routeLines(coordination, [extraRouteOf(licenceRoute), extraRouteOf(messagesRoute), extraRouteOf(meRoute), extraRouteOf(readyRoute), ...Object.values(storyRoutes).map((route) => extraRouteOf(route)), ...[...loginRoutes, ...signInRoutes].map((route) => extraRouteOf(route))])}
} as const satisfies Record<string, Route>;

/** How the calls of port 5525 are sent. */
export const consoleRoutes = {
${routeLines(console, [extraRouteOf(ofIngest, { body: 'batch' }), extraRouteOf(runTokenRoute)])}
} as const satisfies Record<string, Route>;
`;

function storedEventsPage(): string {
  const sections = Object.entries(storedEvents).flatMap(([kind, { version, types }]) => [
    `## Streams of kind ${kind}\n\nVersion ${version}.\n`,
    ...Object.entries(types).map(([type, data]) => `### ${type}\n\n${memberTable(data)}`),
  ]);
  return `# Events of the log\n\nThe events that the store keeps, by the kind of stream. Every event also has \`by\`, \`at\`, \`provenance\`, and its positions in the log and in its stream.\n\n${sections.join('\n')}`;
}

const pages: Record<string, string> = {
  'docs/reference/openapi.coordination.json': json(
    openApiOf(described(coordinationReference), coordination, [
      ...onBothPorts,
      pingRoute,
      licenceRoute,
      webhookRoute,
      messagesRoute,
      negotiateRoute,
      socketRoute,
    ]),
  ),
  'docs/reference/openapi.console.json': json(
    openApiOf(described(consoleReference), console, [...onBothPorts, ofIngest, runTokenRoute]),
  ),
  'docs/reference/mcp-tools.md': toolsPage(),
  'docs/reference/config.md': configPage(),
  'docs/reference/errors.md': errorsPage(),
  'docs/reference/interface.md': interfacePage(),
  ...Object.fromEntries(
    coordinationReference.documents.map(({ path, describe }) => [
      path.replace('/api/', 'docs/reference/'),
      json(describe()),
    ]),
  ),
  'docs/reference/monitor-events.md': eventsPage(),
  'docs/reference/hub-messages.md': messagesPage(),
  'packages/service/src/browser/routes.ts': routesFile(),
  'docs/reference/stored-events.md': storedEventsPage(),
  'packages/client/src/api-types.ts': clientTypes(coordination, console),
};

const check = process.argv.includes('--check');
for (const [path, text] of Object.entries(pages)) {
  const file = join(root, path);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (before === text) continue;
  if (check) {
    process.stderr.write(`${path} is out of date: run "npm run docs" and commit it\n`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    process.stdout.write(`wrote ${path}\n`);
  }
}
