import { Counter, Gauge, Registry } from 'prom-client';

/** Measures that are asked for their value at each reading, in a registry of their own. */
export class CollectedMeasures {
  readonly registry = new Registry();

  /** Null: there is nothing to measure now, and the measure is left out. */
  gauge(name: string, help: string, value: () => number | null): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        const now = value();
        if (now === null) this.reset();
        else this.set(now);
      },
    });
  }

  /** A value for each word of a fixed set. */
  gaugeOf(name: string, help: string, label: string, values: () => Iterable<readonly [string, number]>): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        for (const [word, value] of values()) this.set({ [label]: word }, value);
      },
    });
  }

  /** How many of each word; labels come from a fixed set of words. */
  gaugeByWord(name: string, help: string, label: string, words: () => Iterable<string>): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const word of words()) this.inc({ [label]: word });
      },
    });
  }

  counter(name: string, help: string, value: () => number): void {
    new Counter({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  }

  /** Is added to as things happen. */
  counterByWord(name: string, help: string, label: string): (word: string, by?: number) => void {
    const counts = new Map<string, number>();
    this.countsByWord(name, help, label, counts);
    return (word, by = 1) => void counts.set(word, (counts.get(word) ?? 0) + by);
  }

  /** Is counted elsewhere. */
  countsByWord(
    name: string,
    help: string,
    label: string,
    counts: Iterable<readonly [word: string, count: number]>,
  ): void {
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [word, count] of counts) this.inc({ [label]: word }, count);
      },
    });
  }
}
