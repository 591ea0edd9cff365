import { isObject } from '../../kernel/is-object.ts';
import { parsedJson } from '../../kernel/parsed-json.ts';
import { type ImportedTest, importedTest } from './imported-run.ts';
import type { ResultStream, StreamNews } from './result-stream.ts';

const outcomes: readonly ImportedTest['outcome'][] = ['CleanPass', 'Failed', 'Aborted', 'Skipped'];

/** JSON lines from our listener inside a runner: a test that began, or a test with its verdict. */
export class FeedStream implements ResultStream {
  readonly #open = new Map<string, { feature: string; name: string }>();

  line(text: string): StreamNews[] {
    const told = parsedJson(text);
    if (!isObject(told)) return [];
    const { feature, name } = { feature: textOf(told.feature) ?? '', name: textOf(told.name) ?? 'unnamed' };
    const outcome = outcomes.find((known) => known === told.outcome);
    if (outcome === undefined) {
      this.#open.set(`${feature}/${name}`, { feature, name });
      return [{ started: { feature, name } }];
    }
    this.#open.delete(`${feature}/${name}`);
    return [
      {
        ended: importedTest({
          feature,
          name,
          outcome,
          durationMs: numberOf(told.durationMs),
          message: textOf(told.message),
          stackTrace: textOf(told.stackTrace),
          file: textOf(told.file),
          line: numberOf(told.line),
        }),
      },
    ];
  }

  end(): StreamNews[] {
    return [...this.#open.values()].map((one) => ({
      ended: importedTest({ ...one, outcome: 'Aborted', message: 'no verdict' }),
    }));
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? Math.round(value) : null);
