import { readFileSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { errorCode, errorMessage } from '../kernel/error-code.ts';
import { unwrap } from '../kernel/shape.ts';
import { userFile } from './user-folder.ts';

type ParseValue = (text: string, before: unknown) => unknown;
/** Commander uses null for an option without a value, so null has another name here. */
const nullValue = Symbol('null');
/** `--url` is the address of the service in every command. */
const otherNames: Readonly<Record<string, string>> = { url: 'itsUrl' };
const membersByOption = new Map(Object.entries(otherNames).map(([member, option]) => [option, member]));

/** The option for one member of a command's input. */
export function memberOption(member: string, schema: z.ZodType): Option {
  const flag = `--${(otherNames[member] ?? member).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const required = !schema.safeParse(undefined).success;
  const { value, read, note } = readerOf(schema);
  const text = [schema.description, note, required && 'required'].filter(Boolean).join('; ');
  const option = new Option(value === '' ? flag : `${flag} <${value}>`, text).makeOptionMandatory(required);
  if (read === undefined) return option;
  const clears = schema.safeParse(null).success;
  return option.argParser((given, before) => (clears && given === 'null' ? nullValue : read(given, before)));
}

/** The given options as the command's input. */
export const readMembers = (options: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      membersByOption.get(name) ?? name,
      value === nullValue ? null : value,
    ]),
  );

function readerOf(schema: z.ZodType): { value: string; read?: ParseValue; note?: string } {
  const type = unwrap(schema);
  if (type instanceof z.ZodBoolean) return { value: '' };
  if (type instanceof z.ZodString) return { value: 'text', read: (text) => text };
  if (type instanceof z.ZodEnum) return { value: type.options.join('|'), read: (text) => text };
  if (type instanceof z.ZodNumber) return { value: 'number', read: readNumber };
  if (type instanceof z.ZodArray && unwrap(type.element) instanceof z.ZodString)
    return {
      value: 'text',
      read: (text, before) => [...(Array.isArray(before) ? before : []), text],
      note: 'repeatable',
    };
  return { value: 'json', read: (text) => readJson(text, schema), note: 'or @file' };
}

function readNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) throw new InvalidArgumentError('It must be a number.');
  return value;
}

/** JSON, or `@file` with JSON in it. For a member that may also be text, such as a plan in YAML, anything else is text. */
function readJson(given: string, schema: z.ZodType): unknown {
  const text = given.startsWith('@') ? readText(given.slice(1)) : given;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (schema.safeParse(text).success) return text;
    throw new InvalidArgumentError(`It must be JSON, or @file with JSON in it: ${errorMessage(error)}.`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(userFile(file), 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(`${file} cannot be read (${errorCode(error)}). Check its name and permissions.`);
  }
}
