type Json = Readonly<Record<string, unknown>>;

/** Members in which answers carry what people, agents and test suites wrote. */
const writtenByOthers: ReadonlySet<string> = new Set([
  'title',
  'description',
  'note',
  'text',
  'message',
  'error',
  'errorMessage',
  'stack',
  'stackTrace',
  'output',
  'detail',
  'result',
]);

/** Says why an answer was cut. */
const ownDetail = 'detail';

/** An answer names at most so many; what is deeper is inside of what is named or of our own making. */
const mostNamed = 24;
const deepest = 8;

/** The paths of the members that others wrote, such as `claim.note` and `items[].title`, each once. */
export function untrustedIn(body: Json): string[] {
  const found = new Set<string>();
  visit(body, '', found, 0);
  return [...found].slice(0, mostNamed);
}

function visit(value: unknown, path: string, found: Set<string>, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > deepest) return;
  if (Array.isArray(value)) {
    for (const item of value) visit(item, `${path}[]`, found, depth + 1);
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`;
    if (typeof inner !== 'string') visit(inner, at, found, depth + 1);
    else if (inner !== '' && writtenByOthers.has(name) && at !== ownDetail) found.add(at);
  }
}
