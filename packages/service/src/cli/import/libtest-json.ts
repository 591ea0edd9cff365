import { parsedJson } from '../../kernel/parsed-json.ts';
import { type ImportedTest, importedTest, outsideTests } from './imported-run.ts';
import type { ResultStream, StreamNews } from './result-stream.ts';

/** One line of libtest's event stream, as `cargo nextest --message-format libtest-json` prints it too. */
type LibtestEvent = {
  type: 'test' | 'suite' | 'bench';
  event: string;
  name?: string;
  exec_time?: number;
  stdout?: string;
  message?: string;
  test_count?: number;
  nextest?: { crate?: string; test_binary?: string };
};

const outcomes: Record<string, ImportedTest['outcome']> = {
  ok: 'CleanPass',
  failed: 'Failed',
  timeout: 'Failed',
  ignored: 'Skipped',
};

export const isLibtestEvent = (value: unknown): value is LibtestEvent =>
  typeof value === 'object' &&
  value !== null &&
  'event' in value &&
  'type' in value &&
  ['test', 'suite', 'bench'].includes(String(value.type));

export class LibtestJsonStream implements ResultStream {
  readonly #open = new Map<string, { feature: string; name: string }>();
  #suites = 0;

  line(text: string): StreamNews[] {
    const event = eventIn(text);
    if (!event) return [];
    if (event.type === 'suite') {
      this.#suites += event.event === 'started' ? 1 : -1;
      return [];
    }
    const { feature, name } = identityOf(event.name ?? '');
    const key = `${feature}/${name}`;
    if (event.event === 'started') {
      this.#open.set(key, { feature, name });
      return [{ started: { feature, name } }];
    }
    const outcome = outcomes[event.event];
    if (outcome === undefined) return [];
    this.#open.delete(key);
    return [{ ended: testOf(event, feature, name, outcome) }];
  }

  end(): StreamNews[] {
    const open = [...this.#open.values()].map((one) => ({
      ended: importedTest({ ...one, outcome: 'Aborted' as const, message: 'no verdict' }),
    }));
    const died = 'The event stream of a test binary ended early.';
    return this.#suites > 0 ? [...open, { ended: outsideTests('', '(binary)', died) }] : open;
  }
}

/** `shop::cart$tests::adds` of nextest is the test `tests::adds` of the binary `shop::cart`. */
function identityOf(whole: string): { feature: string; name: string } {
  const at = whole.indexOf('$');
  return at < 0 ? { feature: '', name: whole } : { feature: whole.slice(0, at), name: whole.slice(at + 1) };
}

function testOf(event: LibtestEvent, feature: string, name: string, outcome: ImportedTest['outcome']): ImportedTest {
  const text = event.stdout?.trim() ?? '';
  const [, file = null, line] = / panicked at ([^\s:]+):(\d+):\d+:/.exec(text) ?? [];
  const lines = text.split('\n');
  const at = lines.findIndex((one) => one.includes(' panicked at '));
  const said = event.event === 'timeout' ? 'The test timed out.' : (lines[at + 1] ?? lines[0] ?? null);
  return importedTest({
    feature,
    name,
    outcome,
    durationMs: event.exec_time === undefined ? null : Math.round(event.exec_time * 1000),
    message: outcome === 'CleanPass' ? null : (event.message ?? (outcome === 'Failed' ? said : null)),
    stackTrace: outcome === 'Failed' ? text || null : null,
    file: outcome === 'Failed' ? file : null,
    line: outcome === 'Failed' && line !== undefined ? Number(line) : null,
    ...(text !== '' && { stdout: text }),
  });
}

function eventIn(line: string): LibtestEvent | null {
  if (!line.startsWith('{')) return null;
  const value = parsedJson(line);
  return isLibtestEvent(value) ? value : null;
}
