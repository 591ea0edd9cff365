import { readFileSync } from 'node:fs';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same document for generators of OpenAPI 3.0: null becomes a flag, a single value a list of one, and a union anything. */
export function inOpenApi30(file: string): unknown {
  const { openapi: _, ...document } = JSON.parse(readFileSync(file, 'utf8')) as Json;
  const { license: __, ...info } = document.info as Json;
  return converted({ openapi: '3.0.3', ...document, info });
}

function converted(value: unknown, isMembers = false): unknown {
  if (Array.isArray(value)) return value.map((item) => converted(item));
  if (!isObject(value)) return value;
  const schema = isMembers ? value : withoutNull(value);
  return Object.fromEntries(
    Object.entries(schema).map(([key, inner]) => [key, converted(inner, !isMembers && key === 'properties')]),
  );
}

const isNull = (option: unknown): boolean => isObject(option) && option.type === 'null';

function withoutNull({ type, anyOf, const: only, enum: values, propertyNames: _, ...schema }: Json): Json {
  // The Python generator writes a boolean of a list as `true`, which is not valid Python.
  const isListed = only !== undefined && typeof only !== 'boolean';
  if (only !== undefined) return { ...schema, ...(type !== undefined && { type }), ...(isListed && { enum: [only] }) };
  const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : undefined;
  const options = Array.isArray(anyOf) ? anyOf.filter((option) => !isNull(option)) : undefined;
  const nullable =
    types?.length !== (Array.isArray(type) ? type.length : undefined) ||
    options?.length !== (Array.isArray(anyOf) ? anyOf.length : undefined);
  return {
    ...schema,
    ...(types ? types.length === 1 && { type: types[0] } : type !== undefined && { type }),
    ...(Array.isArray(values) && { enum: values.filter((one) => one !== null) }),
    ...(options && (options.length === 1 ? { allOf: options } : {})),
    ...(nullable && { nullable }),
  };
}
