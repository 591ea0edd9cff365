/** Edges in flat arrays, a linked list for each vertex, so that walks over hundreds of thousands of edges need no objects. */
export class Edges {
  /** First edge of a vertex, as its number plus one; 0 ends a list. */
  first = new Int32Array(16);
  next = new Int32Array(16);
  to = new Int32Array(16);
  #used = 0;
  #free = 0;

  add(from: number, to: number): void {
    this.reserve(Math.max(from, to) + 1);
    const edge = this.#allocate();
    this.to[edge] = to;
    this.next[edge] = this.first[from] ?? 0;
    this.first[from] = edge + 1;
  }

  remove(from: number, to: number): void {
    let before = -1;
    for (let link = this.first[from] ?? 0; link !== 0; link = this.next[link - 1] ?? 0) {
      if (this.to[link - 1] === to) {
        this.#unlink(from, before, link);
        return;
      }
      before = link - 1;
    }
  }

  /** Makes room for that many vertices. */
  reserve(vertices: number): void {
    if (this.first.length < vertices) this.first = grown(this.first, vertices);
  }

  clear(): void {
    this.first.fill(0);
    this.#used = 0;
    this.#free = 0;
  }

  #allocate(): number {
    if (this.#free !== 0) {
      const edge = this.#free - 1;
      this.#free = this.next[edge] ?? 0;
      return edge;
    }
    if (this.#used === this.to.length) {
      this.to = grown(this.to, this.#used + 1);
      this.next = grown(this.next, this.#used + 1);
    }
    this.#used += 1;
    return this.#used - 1;
  }

  #unlink(from: number, before: number, link: number): void {
    const after = this.next[link - 1] ?? 0;
    if (before < 0) this.first[from] = after;
    else this.next[before] = after;
    this.next[link - 1] = this.#free;
    this.#free = link;
  }
}

function grown(from: Int32Array, least: number): Int32Array<ArrayBuffer> {
  const into = new Int32Array(Math.ceil(least * 1.5) + 16);
  into.set(from);
  return into;
}
