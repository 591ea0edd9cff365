/** One line of a measure; labels are few and their values come from fixed sets. */
export type Sample = { labels?: Readonly<Record<string, string>>; value: number };
export type Measure = {
  name: string;
  help: string;
  type: 'counter' | 'gauge';
  samples: readonly Sample[];
};

/** Seconds; from a lookup in memory to what a person would call stuck. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** How long things took, by one label. */
export class Histogram {
  readonly #name: string;
  readonly #help: string;
  readonly #label: string;
  readonly #series = new Map<string, { counts: number[]; sum: number; count: number }>();

  constructor(name: string, help: string, label: string) {
    this.#name = name;
    this.#help = help;
    this.#label = label;
  }

  observe(value: string, seconds: number): void {
    const series = this.#series.get(value) ?? { counts: bounds.map(() => 0), sum: 0, count: 0 };
    this.#series.set(value, series);
    const index = bounds.findIndex((bound) => seconds <= bound);
    if (index >= 0) series.counts[index] = (series.counts[index] ?? 0) + 1;
    series.sum += seconds;
    series.count += 1;
  }

  text(): string {
    const lines = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`];
    for (const [value, { counts, sum, count }] of this.#series) {
      let below = 0;
      for (const [index, bound] of bounds.entries()) {
        below += counts[index] ?? 0;
        lines.push(line(`${this.#name}_bucket`, { [this.#label]: value, le: String(bound) }, below));
      }
      lines.push(line(`${this.#name}_bucket`, { [this.#label]: value, le: '+Inf' }, count));
      lines.push(line(`${this.#name}_sum`, { [this.#label]: value }, sum));
      lines.push(line(`${this.#name}_count`, { [this.#label]: value }, count));
    }
    return `${lines.join('\n')}\n`;
  }
}

/** Counts by labels, from the start of the process. */
export class Counter {
  readonly #values = new Map<string, { labels: Record<string, string>; value: number }>();

  add(labels: Record<string, string>, by = 1): void {
    const key = JSON.stringify(labels);
    const entry = this.#values.get(key) ?? { labels, value: 0 };
    entry.value += by;
    this.#values.set(key, entry);
  }

  samples(): Sample[] {
    return [...this.#values.values()].map(({ labels, value }) => ({ labels, value }));
  }
}

/** The Prometheus text format, version 0.0.4. */
export function metricsText(measures: Iterable<Measure>): string {
  let text = '';
  for (const { name, help, type, samples } of measures) {
    if (samples.length === 0) continue;
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    for (const { labels = {}, value } of samples) text += `${line(name, labels, value)}\n`;
  }
  return text;
}

function line(name: string, labels: Readonly<Record<string, string>>, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${text.replace(/[\\"\n]/g, escaped)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
}

const escaped = (character: string): string => (character === '\n' ? '\\n' : `\\${character}`);

export const gauge = (name: string, help: string, ...samples: readonly Sample[]): Measure => ({
  name,
  help,
  type: 'gauge',
  samples,
});
export const counter = (name: string, help: string, samples: readonly Sample[]): Measure => ({
  name,
  help,
  type: 'counter',
  samples,
});

/** How many of each word; every word of a fixed set that occurs. */
export function countByLabel(label: string, words: Iterable<string>): Sample[] {
  const counts = new Counter();
  for (const word of words) counts.add({ [label]: word });
  return counts.samples();
}
