import { stripTypeScriptTypes } from 'node:module';
import { type AnyNode, type Expression, type ObjectExpression, type Program, parse, parseExpressionAt } from 'acorn';
import { errorMessage } from '../../kernel/error-code.ts';
import { CannotConnect } from '../connect/change.ts';

/** A configuration in JavaScript, TypeScript or JSON, and the object in it that holds the settings. */
export type SourceTree = { text: string; config: ObjectExpression; program: Program | null; commonJs: boolean };

export function parseSource(path: string, text: string): SourceTree {
  if (/\.jsonc?$/.test(path)) return { text, config: jsonObject(path, text), program: null, commonJs: false };
  const program = programOf(path, text);
  const exported = exportedFrom(program);
  const config = exported && objectIn(program, exported.value);
  if (config) return { text, config, program, commonJs: exported.commonJs };
  throw new CannotConnect(
    `${path} does not export an object that can be extended. Add the publisher by hand (docs/guides); nothing was written.`,
  );
}

function jsonObject(path: string, text: string): ObjectExpression {
  try {
    const node = parseExpressionAt(text, 0, { ecmaVersion: 'latest' });
    if (node.type === 'ObjectExpression') return node;
  } catch {
    // Reported below.
  }
  throw new CannotConnect(`${path} is not a valid JSON object. Correct it first; nothing was written.`);
}

function programOf(path: string, text: string): Program {
  try {
    const script = /\.[cm]?tsx?$/.test(path) ? withoutTypes(text) : text;
    const options = { ecmaVersion: 'latest', allowHashBang: true, allowReturnOutsideFunction: true } as const;
    return parse(script, { ...options, sourceType: 'module', allowAwaitOutsideFunction: true });
  } catch (fault) {
    throw new CannotConnect(
      `${path} cannot be read (${errorMessage(fault)}). Correct it, or publish without changing it: signalbox run -- <test command>. Nothing was written.`,
    );
  }
}

/** Replaces the types with spaces, so that all positions stay the same. */
function withoutTypes(text: string): string {
  const { emitWarning } = process;
  // Node 22 and 24 print a warning that it is experimental.
  process.emitWarning = () => undefined;
  try {
    const script = stripTypeScriptTypes(text, { mode: 'strip' });
    if (script.length !== text.length) throw new Error('its types cannot be stripped');
    return script;
  } finally {
    process.emitWarning = emitWarning;
  }
}

type Exported = { value: AnyNode; commonJs: boolean };

function exportedFrom(program: Program): Exported | null {
  for (const statement of program.body) {
    if (statement.type === 'ExportDefaultDeclaration') return { value: statement.declaration, commonJs: false };
    const assigned = statement.type === 'ExpressionStatement' ? statement.expression : null;
    if (assigned?.type !== 'AssignmentExpression') continue;
    const { left, right } = assigned;
    const isModule = left.type === 'MemberExpression' && left.object.type === 'Identifier';
    if (isModule && nameOf(left.object) === 'module' && nameOf(left.property) === 'exports')
      return { value: right, commonJs: true };
  }
  return null;
}

export const nameOf = (node: AnyNode | null): string | null =>
  node?.type === 'Identifier' ? node.name : node?.type === 'Literal' ? String(node.value) : null;

/** The object that an expression evaluates to, also through a name, a call such as `defineConfig`, or a function that returns it. */
export function objectIn(program: Program, node: AnyNode | null | undefined): ObjectExpression | null {
  switch (node?.type) {
    case 'ObjectExpression':
      return node;
    case 'Identifier':
      return objectIn(program, assignedTo(program, node.name));
    case 'AwaitExpression':
      return objectIn(program, node.argument);
    case 'CallExpression':
      // In `mergeConfig(base, own)` the last argument is the file's own configuration.
      return node.arguments
        .toReversed()
        .reduce<ObjectExpression | null>((found, each) => found ?? objectIn(program, each), null);
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      return objectIn(program, node.body.type === 'BlockStatement' ? answerOf(node.body.body) : node.body);
    default:
      return null;
  }
}

const answerOf = (statements: readonly AnyNode[]): AnyNode | null | undefined =>
  statements.findLast((statement) => statement.type === 'ReturnStatement')?.argument;

/** The initial value of a top-level name. */
export function assignedTo(program: Program | null, name: string): Expression | null {
  for (const statement of program?.body ?? []) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'VariableDeclaration') continue;
    const found = declared.declarations.find(({ id }) => nameOf(id) === name);
    if (found) return found.init ?? null;
  }
  return null;
}

export function memberOf(holder: ObjectExpression, key: string) {
  for (const property of holder.properties) {
    if (property.type === 'Property' && !property.computed && nameOf(property.key) === key) return property;
  }
  return null;
}
