import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import type { Fault } from '../../../service/src/kernel/outcome.ts';
import { faultsOf } from '../../../service/src/kernel/shape.ts';
import type { Descriptor, TypeRef } from '../contract.ts';
import { pushedDescriptor } from '../descriptor.ts';
import { typeIndex } from '../types.ts';
import { descriptorOfBoard, eventmodelersBoard } from './eventmodelers.ts';
import { descriptorOf, handWritten } from './hand-written.ts';

export type SourceFormat = 'hand-written' | 'descriptor' | 'eventmodelers';
export type ReadSource = { format: SourceFormat; source: string | null; descriptor: Descriptor };
export type LocatedFault = Fault & { line: number | null };
type LocateFault = (fault: Fault) => LocatedFault;

/**
 * Reads a model file: written by hand (YAML, or the same in JSON), a descriptor, or a board that the eventmodelers
 * tooling exported. `model` is the name of the model if the file has none.
 */
export function readSource(text: string, model?: string): ReadSource | LocatedFault[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  // Errors after the first one are often only its consequences.
  const broken = document.errors.slice(0, 1).map((error) => ({
    path: '',
    message: error.message,
    line: lines.linePos(error.pos[0]).line,
  }));
  if (broken.length > 0) return broken;
  const locate: LocateFault = (fault) => ({ ...fault, line: lineOf(fault.path) });
  const lineOf = (path: string): number | null => {
    const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
    for (let length = steps.length; length >= 0; length -= 1) {
      const node = document.getIn(steps.slice(0, length).map(asIndex), true);
      const range = isRanged(node) ? node.range : null;
      if (range) return lines.linePos(range[0]).line;
    }
    return null;
  };
  const value = plainValue(document);
  return value === tooManyAliases
    ? [locate({ path: '', message: 'its aliases expand too far; write the values out' })]
    : interpret(value, model, locate);
}

const tooManyAliases = Symbol('too many aliases');

/** Limits aliases: a few lines of YAML must not become gigabytes. */
function plainValue(document: { toJS(options: { maxAliasCount: number }): unknown }): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    if (error instanceof ReferenceError) return tooManyAliases;
    throw error;
  }
}

const asIndex = (step: string): string | number => (/^\d+$/.test(step) ? Number(step) : step);
const isRanged = (node: unknown): node is { range?: [number, number, number] | null } =>
  typeof node === 'object' && node !== null && 'range' in node;

function interpret(value: unknown, model: string | undefined, locate: LocateFault): ReadSource | LocatedFault[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [locate({ path: '', message: 'an event model file is an object with a model and its slices' })];
  }
  if ('model' in value)
    return read('hand-written', handWritten, value, locate, (written) => [descriptorOf(written), written.source]);
  if (!Object.keys(value).some((key) => key.toLowerCase() === 'name') && isBoard(value)) {
    if (model === undefined) {
      return [locate({ path: '', message: 'this export has no model name; give one with --model NAME' })];
    }
    return read('eventmodelers', eventmodelersBoard, value, locate, (board) => [
      descriptorOfBoard(model, board),
      undefined,
    ]);
  }
  return read('descriptor', pushedDescriptor, value, locate, (descriptor) => [descriptor, undefined]);
}

const isBoard = (value: object): boolean =>
  'slices' in value &&
  Array.isArray(value.slices) &&
  value.slices.some((slice: unknown) => typeof slice === 'object' && slice !== null && 'title' in slice);

/** Besides the rules of its own format, a file must meet those of every push: limits, and unique slice names. */
function read<Schema extends z.ZodType>(
  format: SourceFormat,
  schema: Schema,
  value: unknown,
  locate: LocateFault,
  convert: (written: z.output<Schema>) => [Descriptor, source: string | undefined],
): ReadSource | LocatedFault[] {
  const written = schema.safeParse(value, { reportInput: true });
  if (!written.success) return faultsOf(written.error, schema).map(locate);
  const [converted, source] = convert(written.data);
  const pushed = pushedDescriptor.safeParse(converted, { reportInput: true });
  if (!pushed.success) return faultsOf(pushed.error, pushedDescriptor).map(locate);
  return { format, source: source ?? null, descriptor: pushed.data };
}

/** A likely gap in a model. It does not make a push invalid. */
export type Finding = { slice: string; text: string };

export function findingsOf({ slices }: Descriptor): Finding[] {
  const indexed = (types: readonly TypeRef[]) => {
    const index = typeIndex<true>();
    for (const type of types) index.add(type, true);
    return index;
  };
  const emitted = indexed(slices.flatMap((slice) => slice.emittedEvents));
  const produced = indexed(slices.flatMap((slice) => slice.readModelTypes));
  const used = indexed(
    slices.flatMap((slice) => [slice.triggerType, slice.commandType].filter((type) => type !== null)),
  );
  const consumed = indexed(slices.flatMap((slice) => slice.consumedEvents));
  return slices.flatMap((slice) => {
    const texts: string[] = [];
    if (slice.specifications.length === 0) texts.push('has no specification, so no run can verify it');
    if (slice.pattern === 'Command' && slice.emittedEvents.length === 0) texts.push('is a command that emits no event');
    if (slice.pattern === 'View' && slice.readModelTypes.length === 0) texts.push('is a view without a read model');
    for (const { name } of slice.consumedEvents.filter((type) => !emitted.has(type))) {
      texts.push(`consumes ${name}, which no slice of this file emits`);
    }
    for (const { name } of slice.readsFrom.filter((type) => !produced.has(type))) {
      texts.push(`reads from ${name}, which no slice of this file produces`);
    }
    const unread = slice.emittedEvents.filter((type) => !consumed.has(type) && !used.has(type));
    for (const { name } of unread) texts.push(`emits ${name}, which no slice of this file consumes`);
    return texts.map((text) => ({ slice: slice.name, text }));
  });
}
