/** A part of a JSON text that may hold comments and trailing commas, with where it stands. */
export type JsonNode = { start: number; end: number } & (
  | { kind: 'object'; members: readonly JsonMember[] }
  | { kind: 'array'; items: readonly JsonNode[] }
  | { kind: 'scalar'; value: unknown }
);
/** `start` and `end` span the key and the value. */
export type JsonMember = { key: string; value: JsonNode; start: number; end: number };

const blank = /[ \t\r\n]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//y;
const text = /"(?:[^"\\\r\n]|\\.)*"/y;
const other = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Null for what is no JSON, comments and trailing commas aside. */
export function parseJson(source: string): JsonNode | null {
  const reader = new Reader(source);
  try {
    return reader.whole();
  } catch (fault) {
    // What is quoted, JSON itself reads, and refuses with an error of its own.
    if (fault instanceof NoJson || fault instanceof SyntaxError) return null;
    throw fault;
  }
}

class NoJson extends Error {}
const deepest = 200;

class Reader {
  readonly #source: string;
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  whole(): JsonNode {
    this.#skip();
    const node = this.#value();
    this.#skip();
    if (this.#at < this.#source.length) throw new NoJson();
    return node;
  }

  #value(): JsonNode {
    const start = this.#at;
    const first = this.#source[start];
    if (++this.#depth > deepest) throw new NoJson();
    const body = first === '{' ? this.#object() : first === '[' ? this.#array() : this.#scalar(first);
    this.#depth--;
    return { start, end: this.#at, ...body };
  }

  #object() {
    const members: JsonMember[] = [];
    this.#list('}', () => {
      const start = this.#at;
      const key = JSON.parse(this.#match(text)) as string;
      this.#skip();
      this.#take(':');
      this.#skip();
      const value = this.#value();
      members.push({ key, value, start, end: this.#at });
    });
    return { kind: 'object', members } as const;
  }

  #array() {
    const items: JsonNode[] = [];
    this.#list(']', () => void items.push(this.#value()));
    return { kind: 'array', items } as const;
  }

  #list(close: string, item: () => void): void {
    this.#at++;
    this.#skip();
    while (this.#source[this.#at] !== close) {
      item();
      this.#skip();
      if (this.#source[this.#at] !== ',') break;
      this.#at++;
      this.#skip();
    }
    this.#take(close);
  }

  #scalar(first: string | undefined) {
    return { kind: 'scalar', value: JSON.parse(this.#match(first === '"' ? text : other)) } as const;
  }

  #skip(): void {
    for (;;) {
      blank.lastIndex = this.#at;
      if (!blank.test(this.#source)) return;
      this.#at = blank.lastIndex;
    }
  }

  #take(sign: string): void {
    if (this.#source[this.#at] !== sign) throw new NoJson();
    this.#at++;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0];
    if (!found) throw new NoJson();
    this.#at += found.length;
    return found;
  }
}

export function jsonValue(node: JsonNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map(jsonValue);
  return Object.fromEntries(node.members.map(({ key, value }) => [key, jsonValue(value)]));
}

export const memberOf = (node: JsonNode | undefined, key: string): JsonMember | undefined =>
  node?.kind === 'object' ? node.members.findLast((member) => member.key === key) : undefined;
