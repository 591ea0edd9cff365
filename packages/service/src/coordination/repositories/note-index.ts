/** The text of one note; `more` is the weight of a match in it, relative to a match in the text. */
export type IndexedText = { text: string; more: number };

type Scores = Map<number, number>;

/** Limits for the length of a word and the number of different words of a text, because strangers can write notes. */
const longestWord = 40;
const mostWordsOfText = 2_000;
/** Limits of a search: the number of index words visited, of words compared letter by letter, and of places read. */
const defaultBudgets = { words: 30_000, comparisons: 6_000, places: 20_000 };
type Budgets = typeof defaultBudgets;
const mostSearched = 16;
/** Fuzzy matching is expensive, so it runs only if exact words find fewer results than this. */
const enoughHits = 20;
const worth = { exact: 1, prefix: 0.4, fuzzy: 0.3 };

const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s\p{Z}\p{P}]+/u)
    .flatMap((word) => (word === '' ? [] : [word.slice(0, longestWord)]));

/**
 * An index of the words of texts, best first. A search has a fixed budget: with more entries it finds fewer of them,
 * exact words always first.
 */
export class NoteIndex {
  readonly #budgets: Budgets;
  /** The places of each word: the number of the text and the weight of the word there, alternating. */
  #places = new Map<string, number[]>();
  /** Words by their first two letters. */
  #words = new Map<string, Set<string>>();
  #ids: (string | null)[] = [];
  readonly #numbers = new Map<string, number>();
  #removed = 0;

  constructor(budgets: Budgets = defaultBudgets) {
    this.#budgets = budgets;
  }

  put(id: string, texts: readonly IndexedText[]): void {
    this.remove(id);
    const number = this.#ids.push(id) - 1;
    this.#numbers.set(id, number);
    const counts = new Map<string, number>();
    for (const { text, more } of texts)
      for (const word of wordsIn(text))
        if (counts.has(word) || counts.size < mostWordsOfText) counts.set(word, (counts.get(word) ?? 0) + more);
    // A repeated word counts less each time, and a word in a long text counts less than in a short one.
    const length = 1 + Math.log2(1 + counts.size) / 10;
    for (const [word, count] of counts) this.#addPlace(word, number, Math.log2(1 + count) / length);
  }

  remove(id: string): void {
    const number = this.#numbers.get(id);
    if (number === undefined) return;
    this.#numbers.delete(id);
    this.#ids[number] = null;
    this.#removed += 1;
    if (this.#removed > 1_000 && this.#removed > this.#numbers.size) this.#compact();
  }

  /** The results with a score, unsorted. */
  search(text: string): Array<{ id: string; score: number }> {
    const words = searchedWords(text);
    if (words.length === 0) return [];
    const left = { ...this.#budgets };
    const asWritten = this.#all(words, (word, isLast) => this.#scores(word, isLast, false, left));
    const found =
      asWritten.size >= enoughHits
        ? asWritten
        : this.#all(words, (word, isLast) => this.#scores(word, isLast, true, left));
    return [...found].flatMap(([number, score]) => {
      const id = this.#ids[number];
      return id == null ? [] : [{ id, score }];
    });
  }

  #addPlace(word: string, number: number, value: number): void {
    const places = this.#places.get(word);
    if (places) return void places.push(number, value);
    this.#places.set(word, [number, value]);
    const key = word.slice(0, 2);
    const words = this.#words.get(key);
    if (words) words.add(word);
    else this.#words.set(key, new Set([word]));
  }

  /** The texts that have every one of the words. */
  #all(words: readonly string[], scoresOf: (word: string, isLast: boolean) => Scores): Scores {
    let all: Scores | undefined;
    for (const [at, word] of words.entries()) {
      const scores = scoresOf(word, at === words.length - 1);
      if (!all) all = scores;
      else
        for (const [number, score] of all) {
          const more = scores.get(number);
          if (more === undefined) all.delete(number);
          else all.set(number, score + more);
        }
      if (all.size === 0) break;
    }
    return all ?? new Map();
  }

  #scores(word: string, isLast: boolean, isFuzzy: boolean, left: Budgets): Scores {
    const scores: Scores = new Map();
    this.#count(word, worth.exact, scores, left);
    // Too many words begin with one or two letters, so only the last word, which is still being typed, may be that short.
    if (word.length > 2 || isLast)
      for (const other of this.#beginning(word, left)) this.#count(other, worth.prefix, scores, left);
    const edits = Math.min(2, Math.round(word.length * 0.2));
    if (isFuzzy && word.length > 3 && edits > 0)
      for (const other of this.#near(word, edits, left)) this.#count(other, worth.fuzzy, scores, left);
    return scores;
  }

  #count(word: string, factor: number, scores: Scores, left: Budgets): void {
    const places = this.#places.get(word);
    if (!places) return;
    const rarity = Math.log(1 + (2 * (this.#numbers.size + 1)) / places.length);
    for (let at = 0; at < places.length && left.places > 0; at += 2) {
      left.places -= 1;
      const number = places[at] ?? 0;
      const score = factor * rarity * (places[at + 1] ?? 0);
      if (this.#ids[number] != null && score > (scores.get(number) ?? 0)) scores.set(number, score);
    }
  }

  *#beginning(word: string, left: Budgets): Generator<string> {
    const keys = word.length > 1 ? [word.slice(0, 2)] : [...this.#words.keys()].filter((key) => key[0] === word);
    for (const key of keys)
      for (const other of this.#words.get(key) ?? []) {
        if (left.words-- <= 0) return;
        if (other !== word && other.startsWith(word)) yield other;
      }
  }

  /** Words with the same first letter come first. */
  *#near(word: string, edits: number, left: Budgets): Generator<string> {
    const first = word[0];
    const keys = [...this.#words.keys()];
    for (const key of [...keys.filter((one) => one[0] === first), ...keys.filter((one) => one[0] !== first)])
      for (const other of this.#words.get(key) ?? []) {
        if (left.words-- <= 0 || left.comparisons <= 0) return;
        if (Math.abs(other.length - word.length) > edits || other === word) continue;
        left.comparisons -= 1;
        if (isWithin(word, other, edits)) yield other;
      }
  }

  #compact(): void {
    const numbers = new Map<number, number>();
    for (const [number, id] of this.#ids.entries()) if (id !== null) numbers.set(number, numbers.size);
    const ids = this.#ids.filter((id) => id !== null);
    this.#ids = ids;
    for (const [number, id] of ids.entries()) this.#numbers.set(id, number);
    for (const [word, places] of this.#places) {
      const kept: number[] = [];
      for (let at = 0; at < places.length; at += 2) {
        const number = numbers.get(places[at] ?? -1);
        if (number !== undefined) kept.push(number, places[at + 1] ?? 0);
      }
      if (kept.length > 0) this.#places.set(word, kept);
      else {
        this.#places.delete(word);
        this.#words.get(word.slice(0, 2))?.delete(word);
      }
    }
    this.#removed = 0;
  }
}

/** Each word once; of a long text only the longest words. */
function searchedWords(text: string): string[] {
  const words = [...new Set(wordsIn(text))];
  return words.length > mostSearched ? words.sort((a, b) => b.length - a.length).slice(0, mostSearched) : words;
}

/** Whether the edit distance of two words is within a limit. */
function isWithin(a: string, b: string, edits: number): boolean {
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const now = [row];
    let least = row;
    for (let column = 1; column <= b.length; column += 1) {
      const changed = (before[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const value = Math.min(changed, (before[column] ?? 0) + 1, (now[column - 1] ?? 0) + 1);
      now.push(value);
      if (value < least) least = value;
    }
    if (least > edits) return false;
    before = now;
  }
  return (before[b.length] ?? 0) <= edits;
}
