type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  additionalProperties?: Schema | boolean;
};
type Operation = { responses?: Record<string, { content?: Record<string, { schema?: Schema }> }> };
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
};

/** Every member that an answer of this document may have, such as `GET /api/plans 2XX [].slug`. */
export function membersOf(document: OpenApi): string[] {
  const members: string[] = [];
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, { responses = {} }] of Object.entries(operations)) {
      for (const [status, { content = {} }] of Object.entries(responses)) {
        for (const { schema } of Object.values(content)) {
          if (schema)
            walk(schema, '', (member) =>
              members.push(`${method.toUpperCase()} ${path} ${status.replace(/^2\d\d$/, '2XX')} ${member}`),
            );
        }
      }
    }
  }
  return [...new Set(members)].sort();

  function walk(schema: Schema, at: string, found: (member: string) => void, seen: readonly string[] = []): void {
    if (schema.$ref) {
      const name = schema.$ref.split('/').at(-1) ?? '';
      const known = document.components?.schemas?.[name];
      if (known && !seen.includes(name)) walk(known, at, found, [...seen, name]);
      return;
    }
    for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
      walk(one, at, found, seen);
    if (schema.items) walk(schema.items, `${at}[]`, found, seen);
    if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties, `${at}{}`, found, seen);
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const path = at === '' ? name : `${at}.${name}`;
      found(path);
      walk(member, path, found, seen);
    }
  }
}
