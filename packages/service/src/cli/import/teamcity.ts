import { type ImportedTest, importedTest, outsideTests } from './imported-run.ts';
import type { ResultStream, StreamNews } from './result-stream.ts';

const message = /^##teamcity\[(\w+) (.*)\]\s*$/;
const attribute = /\b(\w{1,40})='((?:[^'|]|\|.)*)'/g;
const escapes: Record<string, string> = { n: '\n', r: '\r', "'": "'", '|': '|', '[': '[', ']': ']' };

export const isTeamcity = (content: string): boolean => /^##teamcity\[test/m.test(content);

/** Service messages of TeamCity: PHPUnit, pytest, .NET and others can print them while they run. */
export class TeamcityStream implements ResultStream {
  readonly #suites: string[] = [];
  readonly #open = new Map<string, ImportedTest>();

  line(text: string): StreamNews[] {
    const at = text.indexOf('##teamcity[');
    const [, kind = '', rest = ''] = at < 0 ? [] : (message.exec(text.slice(at)) ?? []);
    if (kind === '') return [];
    const of = attributesIn(rest);
    const name = of.name ?? 'unnamed';
    const key = `${of.flowId ?? ''}\n${name}`;
    if (kind === 'testSuiteStarted') this.#suites.push(name);
    if (kind === 'testSuiteFinished') this.#suites.pop();
    if (kind === 'testStarted') return this.#start(key, name, of);
    const test = this.#open.get(key);
    if (!test) return [];
    if (kind === 'testFailed') fail(test, of);
    if (kind === 'testIgnored') Object.assign(test, { outcome: 'Skipped', message: of.message || null });
    if (kind === 'testStdOut') test.stdout = `${test.stdout ?? ''}${of.out ?? ''}`;
    if (kind === 'testStdErr') test.stderr = `${test.stderr ?? ''}${of.out ?? ''}`;
    if (kind !== 'testFinished') return [];
    this.#open.delete(key);
    return [{ ended: { ...test, durationMs: of.duration === undefined ? test.durationMs : Number(of.duration) || 0 } }];
  }

  end(): StreamNews[] {
    const open = [...this.#open.values()].map((test) => ({
      ended: { ...test, outcome: 'Aborted' as const, message: 'no verdict' },
    }));
    const left = this.#suites.at(-1);
    if (left === undefined || open.length > 0) return open;
    return [{ ended: outsideTests(left, '(suite)', 'The output ended in the middle of this suite.') }];
  }

  #start(key: string, name: string, { locationHint = '' }: Record<string, string>): StreamNews[] {
    // `php_qn:///src/CartTest.php::\CartTest::testAdds` names the class; without it, the surrounding suites do.
    const [, path = '', type = ''] = /^php_qn:\/\/([^:]*)::\\?([^:]*)/.exec(locationHint) ?? [];
    const feature = type.replaceAll('\\', '.') || this.#suites.at(-1) || '';
    this.#open.set(key, importedTest({ feature, name, file: path || null }));
    return [{ started: { feature, name } }];
  }
}

function fail(
  test: ImportedTest,
  { message: said = '', details = '', expected, actual }: Record<string, string>,
): void {
  const compared = expected !== undefined && actual !== undefined ? `\nexpected ${expected}\nactual ${actual}` : '';
  const [, file, line] = /(?:^|\s)(\S{1,1000}):(\d{1,9})[ \t\r]{0,10}$/m.exec(details) ?? [];
  Object.assign(test, {
    outcome: 'Failed',
    message: `${said}${compared}`.trim() || null,
    stackTrace: details.trim() || null,
    ...(file !== undefined && { file, line: Number(line) }),
  });
}

function attributesIn(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(attribute)].map(([, name = '', value = '']) => [name, plain(value)]));
}

const plain = (value: string): string =>
  value.replace(/\|(?:0x([0-9a-f]{4})|(.))/gi, (whole, code: string | undefined, letter = '') =>
    code === undefined ? (escapes[letter] ?? whole) : String.fromCharCode(Number.parseInt(code, 16)),
  );
