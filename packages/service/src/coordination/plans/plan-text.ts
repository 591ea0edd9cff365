import {
  isMap,
  isNode,
  isScalar,
  Lexer,
  LineCounter,
  parseDocument,
  stringify,
  visit,
  type YAMLParseError,
  type Document as YamlDocument,
} from 'yaml';
import { isObject } from '../../kernel/is-object.ts';
import type { Fault } from '../../kernel/outcome.ts';
import { parsedJson } from '../../kernel/parsed-json.ts';
import { boundedFaults, faultsOf } from '../../kernel/shape.ts';
import { referenceFaults } from './check-references.ts';
import { importDocument, type PlanDocument, planDocument } from './contract.ts';
import { type NewPlan, spellingOf } from './normalise.ts';

/** A fault with its position in the text, counted from 1. */
export type PositionedFault = Fault & { line: number; column: number };
export type PlanText =
  | { document: PlanDocument; place: (path: string) => TextPosition }
  | { faults: PositionedFault[] };
export type TextPosition = { line: number; column: number };

type Schema = typeof importDocument | typeof planDocument;

/** Reads a plan document from YAML or JSON text and reports all faults together. */
export const readPlanText = (text: string, schema: Schema = importDocument): PlanText =>
  readJson(text, schema) ?? readYaml(text, schema);

/** Valid JSON needs no positions in the text, and its own parser is a hundred times faster. */
function readJson(text: string, schema: Schema): PlanText | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  const result = schema.safeParse(bySlug(parsedJson(text)));
  if (!result.success) return undefined;
  const place = (path: string): TextPosition => {
    const read = readYaml(text, schema);
    return 'place' in read ? read.place(path) : { line: 1, column: 1 };
  };
  return { document: result.data, place };
}

/** Answers use `slug` for the name of a plan, and a document may do so too. */
export function bySlug(document: unknown): unknown {
  if (!isObject(document) || !('slug' in document) || 'plan' in document) return document;
  const { slug, ...others } = document;
  return { plan: slug, ...others };
}

/** The format of plan files in the public console that this interface was written for. */
const isOfOlderForm = (value: unknown): boolean => isObject(value) && typeof value.schema === 'number';

const olderForm = [
  'belongs to the older form of plan files; remove this line and repos, and for each node write repo as repository: owner/name,',
  'depends_on as dependsOn, and kind as binding: issue as { kind: issue, issue: owner/name#1 },',
  'test-run-gate as { kind: suite }, publish as { kind: package, registry: nuget, name: …, version: … },',
  'consume as { kind: dependency, repository: owner/name, name: …, version: … }; merge and bump have no counterpart',
].join(' ');

function readYaml(text: string, schema: Schema): PlanText {
  if (isTooDeep(text)) return faultOfText('is nested too deeply');
  if (isTooLarge(text)) return faultOfText(tooLarge);
  const lines = new LineCounter();
  // The library's own search for duplicate keys compares each key with all before it.
  const options = { lineCounter: lines, prettyErrors: false, stringKeys: true, uniqueKeys: false } as const;
  const parsed = parseDocument(text, options);
  const positionAt = (offset: number): TextPosition => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const errors = errorsOf(parsed);
  if (errors.length > 0) {
    const placed = ({ message, pos }: TextError) => ({ path: '', message, ...positionAt(pos[0]) });
    const top = { line: 1, column: 1 };
    return { faults: boundedFaults(errors, placed).map((fault) => ({ ...top, ...fault })) };
  }
  const place = (path: string): TextPosition => positionAt(offsetOf(parsed, stepsOf(path)));
  const value = bySlug(plainValue(parsed));
  if (isOfOlderForm(value)) return { faults: [{ path: 'schema', message: olderForm, ...place('schema') }] };
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return { document: result.data, place };
  return { faults: faultsOf(result.error, schema).map((fault) => ({ ...fault, ...place(fault.path) })) };
}

const faultOfText = (message: string): PlanText => ({ faults: [{ path: '', message, line: 1, column: 1 }] });

type TextError = Pick<YAMLParseError, 'message' | 'pos'>;

/** More than are ever reported: a text may have hundreds of thousands of faults, too many for another pass. */
const manyErrors = 1_000;

function errorsOf(parsed: YamlDocument): readonly TextError[] {
  if (parsed.errors.length >= manyErrors) return parsed.errors;
  return [...parsed.errors, ...repeatedKeys(parsed)].sort((a, b) => a.pos[0] - b.pos[0]);
}

function repeatedKeys(parsed: YamlDocument): TextError[] {
  const repeated: TextError[] = [];
  visit(parsed, {
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const offset = key.range?.[0] ?? 0;
        if (keys.has(key.value)) repeated.push({ message: 'Map keys must be unique', pos: [offset, offset] });
        keys.add(key.value);
      }
      return repeated.length < manyErrors ? undefined : visit.BREAK;
    },
  });
  return repeated;
}

/** A plan file that was read; `places` are those of the requested paths. */
export type FileText = { document: NewPlan; places: TextPosition[] } | { faults: PositionedFault[] };

export function readFileText(text: string, paths: readonly string[] = []): FileText {
  const read = readPlanText(text, planDocument);
  if ('faults' in read) return read;
  const { document } = read;
  return { document: { ...document, plan: document.plan ?? '' }, places: paths.map((path) => read.place(path)) };
}

/** All faults of a file on its own; other plans, and cycles through them, are not checked. */
export function checkPlanText(text: string): PositionedFault[] {
  const read = readPlanText(text, planDocument);
  if ('faults' in read) return read.faults;
  const { plan, nodes } = read.document;
  const faults = referenceFaults(nodes ?? [], plan ?? '', spellingOf(nodes ?? []));
  return faults.map((fault) => ({ ...fault, ...read.place(fault.path) }));
}

export const writePlanText = (document: PlanDocument): string => stringify(document, { lineWidth: 0 });

export const withPosition = ({ path, message, line, column }: PositionedFault): Fault => ({
  path,
  message: `${message} (line ${line}, column ${column})`,
});

/** An alias that is used too often makes a small text enormous; then the library refuses it, and so do we. */
function plainValue(parsed: YamlDocument): unknown {
  try {
    return parsed.toJS();
  } catch {
    return undefined;
  }
}

const stepsOf = (path: string): (string | number)[] =>
  [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) =>
    index === undefined ? (name ?? '') : Number(index),
  );

/** The position of a path: of the member's name, or of the parent if the member is missing. */
function offsetOf(parsed: YamlDocument, path: readonly (string | number)[]): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const steps = path.slice(0, length);
    const last = steps.at(-1);
    const parent = last === undefined ? undefined : parsed.getIn(steps.slice(0, -1), true);
    const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === last) : undefined;
    const found = pair ? pair.key : parsed.getIn(steps, true);
    if (isNode(found) && found.range) return found.range[0];
  }
  return 0;
}

const maxLevels = 1_000;
/** Whether a text nests deeper than any plan, judged only by its brackets, because parsing it would take minutes. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + (bracket === '[' || bracket === '{' ? 1 : -1));
    if (depth > maxLevels) return true;
  }
  return hasListsInLists(text);
}

/** `- - - -`: each mark followed by a blank opens a level on the same line. */
function hasListsInLists(text: string): boolean {
  let levels = 0;
  for (const [, mark] of text.matchAll(/([-?:])[ \t]+|[^-?: \t]+|[-?: \t]/g)) {
    levels = mark === undefined ? 0 : levels + 1;
    if (levels >= maxLevels) return true;
  }
  return false;
}

/** Enough for a plan of 500,000 values; for more the parser would need more memory than its thread has. */
const mostSigns = 1_500_000;

export const tooLarge = 'is too large to be read in one piece; send it as JSON, or add the nodes in several calls';

/** Whether a YAML text has more names, values and signs between them than the reader accepts. They are counted before any is stored. */
export function isTooLarge(text: string): boolean {
  // A character adds at most two: a sign, and the value before it.
  if (2 * text.length <= mostSigns) return false;
  let signs = 0;
  for (const token of new Lexer().lex(text)) {
    if (/^[^\s#]/.test(token)) signs += 1;
    if (signs > mostSigns) return true;
  }
  return false;
}
