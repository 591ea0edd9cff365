import { CannotConnect } from './change.ts';

export type JsonObject = { [key: string]: unknown };

/** Edits a JSON file in its own indentation. A file that cannot be read is the user's to repair, never ours to replace. */
export function editJson(path: string, text: string | null, edit: (object: JsonObject) => void): string | null {
  const object = parse(path, text);
  const before = JSON.stringify(object);
  edit(object);
  if (text !== null && JSON.stringify(object) === before) return text;
  if (Object.keys(object).length === 0) return null;
  const indent = /^([ \t]+)"/m.exec(text ?? '')?.[1] ?? '  ';
  const end = text === null || text.endsWith('\n') ? '\n' : '';
  return `${JSON.stringify(object, null, indent)}${end}`;
}

function parse(path: string, text: string | null): JsonObject {
  if (text === null || text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // Told below, together with JSON that is no object.
  }
  throw new CannotConnect(`${path} is not a JSON object that can be read. Repair it first; nothing was written.`);
}

/** The object under a key, made when it is missing. */
export function child(path: string, parent: JsonObject, key: string): JsonObject {
  const value = parent[key] ?? {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CannotConnect(`"${key}" in ${path} is not an object. Repair it first; nothing was written.`);
  }
  parent[key] = value;
  return value as JsonObject;
}

/** Takes a key out if nothing is left under it. */
export function dropEmpty(parent: JsonObject, key: string): void {
  const value = parent[key];
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  if (isEmpty) delete parent[key];
}
