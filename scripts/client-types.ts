import { z } from 'zod';
import { type Members, monitorEvents } from '../packages/service/src/console/runs/events.ts';
import { outcomes } from '../packages/service/src/console/runs/run.ts';
import type { AnyCommand } from '../packages/service/src/kernel/command.ts';
import { conditionCodes } from '../packages/service/src/kernel/conditions.ts';
import { messages } from '../packages/service/src/kernel/messages.ts';

// The types of the published client, written out so that it needs neither the service nor zod.
type Json = Readonly<Record<string, unknown>>;

/** Types that several answers share, by name. Both ports have types of the same name, so those of the console get a prefix. */
type Shared = { types: Map<string, string>; prefix: string };

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
const typeName = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1).replace(/\W/g, '');
const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');
/** In parentheses if it is a union or an intersection. */
const grouped = (type: string): string => (/ [|&] /.test(withoutInner(type)) ? `(${type})` : type);
const ofItems = (type: string): string => (type.startsWith('readonly ') ? `(${type})` : grouped(type));

function withoutInner(type: string): string {
  const shorter = type.replace(/\{[^{}]*\}|\([^()]*\)/g, '');
  return shorter === type ? type : withoutInner(shorter);
}

function typeOf(schema: unknown, prefix: string): string {
  if (!isObject(schema)) return 'unknown';
  const { $ref, const: only, enum: some, anyOf, oneOf, allOf, type } = schema;
  if (typeof $ref === 'string') return prefix + typeName($ref.replace(/^.*\//, ''));
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(some)) return union(some.map((value) => JSON.stringify(value)));
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return union(choices.map((choice) => grouped(typeOf(choice, prefix))));
  if (Array.isArray(allOf)) return allOf.map((part) => grouped(typeOf(part, prefix))).join(' & ');
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one }, prefix)));
  return plainType(schema, prefix);
}

function plainType(schema: Json, prefix: string): string {
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return Array.isArray(schema.prefixItems)
        ? `readonly [${schema.prefixItems.map((item) => typeOf(item, prefix)).join(', ')}]`
        : `readonly ${ofItems(typeOf(schema.items, prefix))}[]`;
    case 'object':
      return objectType(schema, prefix);
    default:
      return 'unknown';
  }
}

function objectType({ properties, required, additionalProperties }: Json, prefix: string): string {
  const must = new Set(Array.isArray(required) ? required : []);
  const members = Object.entries(isObject(properties) ? properties : {}).map(
    ([name, member]) =>
      `${memberName(name)}${must.has(name) ? '' : '?'}: ${typeOf(member, prefix)}${must.has(name) ? '' : ' | undefined'}`,
  );
  if (isObject(additionalProperties) && members.length > 0) members.push('[member: string]: unknown');
  if (members.length > 0) return `{ ${members.join('; ')} }`;
  return isObject(additionalProperties)
    ? `Record<string, ${typeOf(additionalProperties, prefix)}>`
    : 'Record<string, never>';
}

/** Named types are written once. */
function written(schema: z.ZodType, io: 'input' | 'output', shared: Shared): string {
  const { $defs = {}, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json & { $defs?: Json };
  for (const [id, definition] of Object.entries($defs))
    shared.types.set(shared.prefix + typeName(id), typeOf(definition, shared.prefix));
  const isList = (own as { list?: boolean }).list === true;
  return typeOf(isList ? (own.properties as { items?: unknown } | undefined)?.items : own, shared.prefix);
}

const commandLine = (command: AnyCommand<never>, shared: Shared): string => {
  const { name, description, input, output, rest } = command;
  const answer = rest?.responseTypes ? 'string' : written(output, 'output', shared);
  return `  /** ${description} */\n  ${name}: { input: ${written(input, 'input', shared)}; output: ${answer} };`;
};

const mapOf = (
  name: string,
  commands: readonly AnyCommand<never>[],
  extra: readonly string[],
  shared: Shared,
): string =>
  `export type ${name} = {\n${[...commands.map((command) => commandLine(command, shared)), ...extra].join('\n')}\n};`;

const extraCalls = [
  "  licence: { input: object; output: { state: 'valid' | 'missing' | 'invalid' | 'expired'; edition: string | null; expiresAt: string | null; holder: string | null; gate: 'workLoop' | 'record' | 'off' } };",
  '  messages: { input: { after?: string }; output: string };',
  '  login: { input: { token: string }; output: object };',
  '  logout: { input: object; output: { next?: string } };',
  '  sign_in_options: { input: object; output: { provider: string | null; refused?: string } };',
  '  start_sign_in: { input: { to?: string }; output: object };',
  '  finish_sign_in: { input: object; output: object };',
  '  start_device_sign_in: { input: object; output: { device: string; userCode: string; verificationUri: string; verificationUriComplete?: string | undefined; expiresIn: number; interval: number } };',
  "  finish_device_sign_in: { input: { device: string }; output: { name: string; token: string; expiresAt: string; renewal: string } | { waiting: 'pending' | 'slower' } };",
  '  renew_sign_in: { input: { renewal: string }; output: { name: string; token: string; expiresAt: string; renewal: string } };',
  '  end_sign_in: { input: { renewal: string }; output: object };',
  "  me: { input: object; output: { name: string | null; kind: 'local' | 'operator' | 'named' | 'person' | 'anonymous'; scopes: readonly ('read' | 'work' | 'author' | 'publish' | 'observe' | 'admin')[]; tokenAsked: boolean; signedIn?: { provider: string; until: string; uncheckedSince: string | null }; cli: string; consoleUrl: string | null; serviceUrl: string | null } };",
  `  readiness: { input: object; output: { ready: boolean; conditions: readonly { code: ${union(conditionCodes.map((code) => JSON.stringify(code)))}; severity: 'down' | 'warning'; detail: string; next: string; since: string | null }[] } };`,
];
const extraConsoleCalls = [
  '  ingest: { input: { batch: string | { events: readonly MonitorEvent[] } }; output: { rejected: readonly { index: number; message: string }[] } };',
  '  run_token: { input: { runId: string }; output: { token: string; expiresAt: string } };',
];

/** The type of a member of a monitor event; every member may be omitted or null. */
function monitorType(name: string, member: Members[string]): string {
  if (typeof member === 'object')
    return 'of' in member ? `readonly { ${monitorMembers(member.of)} }[]` : `{ ${monitorMembers(member.with)} }`;
  if (name === 'outcome') return 'Outcome';
  switch (member) {
    case 'integer':
      return 'number';
    case 'flag':
      return 'boolean';
    case 'textList':
      return 'readonly string[]';
    case 'integers':
      return 'readonly number[]';
    case 'stringMap':
      return 'Readonly<Record<string, string>>';
    case 'displayText':
      return 'unknown';
    default:
      return 'string';
  }
}

const monitorMembers = (members: Members): string =>
  Object.entries(members)
    .map(([name, member]) => `${memberName(name)}?: ${monitorType(name, member)} | null | undefined`)
    .join('; ');

const monitorTypes = (): string => `/** How a test ended, as \`scenario_finished\` names it. */
export type Outcome = ${union(outcomes.map((outcome) => JSON.stringify(outcome)))};

/** The events that publishers send, by type. */
export type MonitorEvents = {
${Object.entries<Members>(monitorEvents)
  .map(([type, members]) => `  ${type}: { ${monitorMembers(members)} };`)
  .join('\n')}
};
export type MonitorEvent = {
  [Type in keyof MonitorEvents]: { type: Type; runId: string } & MonitorEvents[Type];
}[keyof MonitorEvents];`;

/** The input and output of every command, and the data of every message of the hub. */
export function clientTypes(coordination: readonly AnyCommand<never>[], console: readonly AnyCommand<never>[]): string {
  const types = new Map<string, string>();
  const [shared, ofConsole] = [
    { types, prefix: '' },
    { types, prefix: 'Console' },
  ];
  const maps = [
    `/** Command to what it takes and what it answers, on the coordination port. */\n${mapOf('Api', coordination, extraCalls, shared)}`,
    `/** The same on the port of the run console. */\n${mapOf('ConsoleApi', console, extraConsoleCalls, ofConsole)}`,
  ];
  const data = Object.entries(messages).map(
    ([type, { sentWhen, data: schema }]) =>
      `  /** Sent when ${sentWhen.replace(/\s+/g, ' ')}. */\n  ${type}: ${written(schema, 'output', shared)};`,
  );
  const messageTypes = `/** What each type of message carries. */
export type MessageMap = {
${data.join('\n')}
};
export type MessageType = keyof MessageMap;
export type MessageData<Type extends MessageType> = MessageMap[Type];
export type Message<Type extends MessageType = MessageType> = {
  [One in Type]: { type: One; data: MessageMap[One] };
}[Type];`;
  const names = [...types].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, type]) => `export type ${name} = ${type};`);
  return `// Written by scripts/generate.ts from the registries: run "npm run docs".\n\n${[...maps, messageTypes, monitorTypes(), ...names].join('\n\n')}\n`;
}
