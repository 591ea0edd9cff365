import { type ImportedTest, importedTest, outsideTests } from './imported-run.ts';
import type { ResultStream, StreamNews } from './result-stream.ts';

const result = /^( *)(not )?ok\b(.*)$/i;
const subtest = /^( *)# Subtest: (.*)$/;
/** Longer lines are cut before they are parsed as a plan, a file of prove, or a location. */
const longestLine = 2_000;
// bounded by longestLine
const plan = /^( *)1\.\.(\d+)(?: *# *(?:skip\S*)? ?(.*))?$/i;
const member = /^ +(message|error|duration_ms|location|file|line|at|got|found|actual|expected|wanted|expect):(.*)$/;
/** `t/cart.t .. `: the line with which prove begins a file. */
// bounded by longestLine
const proveFile = /^(\S+) \.{2,} ?(.*)$/;
const tapVersion = /^TAP version \d+/;

export const isTap = (content: string): boolean => /^(?:TAP version \d+|1\.\.\d+)/m.test(content);

type Members = Record<string, string>;
type TapTest = { test: ImportedTest; depth: number; comments: string[]; members: Members };

/**
 * A TAP stream, of one file or of many under prove. Under prove the tests are those that it counts, with subtests as
 * their steps. Otherwise subtests are the tests, named with the tests around them.
 */
export class TapStream implements ResultStream {
  #isProve: boolean;
  #file: string;
  #tests: TapTest[] = [];
  #titles: string[] = [];
  #inner: { text: string; status: string }[] = [];
  #deepest = 0;
  #isYaml = false;
  #planned: number | null = null;
  #ran = 0;
  /** The bats file of the tests that follow. */
  #suite: string | null = null;
  #isTap = false;
  #trouble: string | null = null;
  /** Perl tests print a block for each failed test on standard error. */
  #aside: string[] = [];

  /** `file` is the test file that prints this, if the caller knows it. */
  constructor(file: string | null = null) {
    this.#isProve = file !== null;
    this.#file = file ?? '';
  }

  line(text: string, from: 'stdout' | 'stderr'): StreamNews[] {
    if (from === 'stderr') {
      if (/^ *#/.test(text)) this.aside(text);
      return [];
    }
    const [, file, rest = ''] = (!text.startsWith(' ') && proveFile.exec(text.slice(0, longestLine))) || [];
    if (file !== undefined) return this.#openFile(file, rest);
    if (/^ +(?:---|\.\.\.)$/.test(text)) this.#isYaml = text.trim() === '---';
    else if (this.#isYaml) this.#describe(text);
    else return this.#read(text);
    return [];
  }

  aside(text: string): void {
    this.#aside.push(text.replace(/^ *# ?/, ''));
  }

  /** Whether all planned tests have arrived. */
  isComplete(): boolean {
    return this.#planned !== null && this.#planned <= this.#ran;
  }

  end(): StreamNews[] {
    return this.#closeFile();
  }

  #openFile(file: string, rest: string): StreamNews[] {
    const before = this.#closeFile();
    this.#isProve = true;
    this.#file = file;
    const [, reason] = /^skipped: ?(.*)$/.exec(rest) ?? [];
    if (reason === undefined) return before;
    this.#isTap = false;
    return [...before, { ended: importedTest({ feature: file, name: '(file)', outcome: 'Skipped', message: reason }) }];
  }

  #read(text: string): StreamNews[] {
    const named = subtest.exec(text);
    if (named) {
      this.#titles.length = depthOf(named[1]);
      this.#titles.push(named[2] ?? '');
      return [];
    }
    const suite = /^suite (.+)$/.exec(text)?.[1];
    if (suite !== undefined) this.#suite = suite;
    const begun = this.#suite === null ? undefined : /^begin \d+ (.*)$/.exec(text)?.[1];
    if (begun !== undefined) return [{ started: { feature: this.#suite ?? '', name: begun } }];
    const planned = plan.exec(text.slice(0, longestLine));
    if (planned) return this.#plan(planned[1] ?? '', Number(planned[2]), planned[3]);
    if (tapVersion.test(text)) {
      const before = this.#isTap && !this.#isProve ? this.#closeFile() : [];
      this.#isTap = true;
      return before;
    }
    const bail =
      /^Bail out!(.*)$/i.exec(text)?.[1] ?? /^Bailout called\.\s+Further testing stopped:(.*)$/.exec(text)?.[1];
    if (bail !== undefined) this.#trouble = `Bail out! ${bail.trim()}`.trim();
    const dubious = /^Dubious, test returned (\d+)/.exec(text)?.[1];
    if (dubious !== undefined) this.#trouble ??= `The file ended with exit code ${dubious}.`;
    if (/^ *#/.test(text)) this.#tests.at(-1)?.comments.push(text.replace(/^ *# ?/, ''));
    const found = result.exec(text);
    return found ? this.#result(found) : [];
  }

  #plan(indent: string, count: number, reason: string | undefined): StreamNews[] {
    if (indent !== '') return [];
    this.#isTap = true;
    this.#planned = count;
    if (count > 0 || this.#ran > 0) return [];
    const test = { feature: this.#file, name: '(file)', outcome: 'Skipped' as const, message: reason || 'no tests' };
    return [{ ended: importedTest(test) }];
  }

  /** A result after results with a deeper indent is their total. */
  #result([, indent, failed, rest = '']: RegExpExecArray): StreamNews[] {
    // Printed by prove after a file that passed.
    if (this.#isProve && indent === '' && !failed && rest.trim() === '') return [];
    const directive = rest.search(/ # *(?:skip|todo)/i);
    const number = /^ +(\d+)/.exec(rest)?.[1];
    const name = (directive < 0 ? rest : rest.slice(0, directive))
      .replace(/^ +\d+/, '')
      .replace(/^ +-/, '')
      .trim();
    const depth = depthOf(indent);
    const isSum = this.#deepest > depth;
    this.#deepest = depth;
    if (depth === 0) this.#ran += 1;
    const reason = rest
      .slice(directive)
      .replace(/^ # *(?:skip|todo)\S*/i, '')
      .trim();
    const outcome = directive >= 0 ? 'Skipped' : failed ? 'Failed' : 'CleanPass';
    if (this.#isProve && depth > 0) {
      this.#inner.push({ text: name || `test ${number}`, status: failed ? 'failed' : 'ok' });
      return [];
    }
    if (isSum && !this.#isProve) return [];
    const test = importedTest({
      feature: this.#isProve ? this.#file : (this.#suite ?? this.#titles.slice(0, depth).join(' > ')),
      name: name || (number === undefined ? '(no name)' : `test ${number}`),
      outcome,
      message: directive >= 0 ? reason || null : null,
      steps: this.#inner,
    });
    this.#inner = [];
    return this.#tell({ test, depth, comments: [], members: {} });
  }

  /** Details of a failure follow its line, so each test is sent when the next one comes, and a failure in Perl when its file ends. */
  #tell(next: TapTest): StreamNews[] {
    const ready = this.#tests.filter(({ test }) => !(this.#isProve && test.outcome === 'Failed'));
    this.#tests = [...this.#tests.filter((test) => !ready.includes(test)), next];
    return ready.map((one) => ({ ended: this.#explained(one) }));
  }

  #closeFile(): StreamNews[] {
    const news: StreamNews[] = this.#tests.map((one) => ({ ended: this.#explained(one) }));
    const trouble =
      this.#isTap || this.#ran > 0
        ? this.#verdict(news.some((one) => 'ended' in one && one.ended.outcome === 'Failed'))
        : null;
    if (trouble !== null) news.push({ ended: outsideTests(this.#file, '(file)', trouble) });
    this.#tests = [];
    this.#titles = [];
    this.#inner = [];
    this.#deepest = 0;
    this.#planned = null;
    this.#ran = 0;
    this.#suite = null;
    this.#isTap = false;
    this.#trouble = null;
    return news;
  }

  /** Errors of the file as a whole. */
  #verdict(hasFailure: boolean): string | null {
    if (this.#trouble?.startsWith('Bail out!')) return this.#trouble;
    if (this.#planned === null) return this.#trouble ?? 'No plan was printed: the output ended early.';
    if (this.#planned !== this.#ran)
      return `${this.#planned} tests were planned, ${this.#ran} ran.${this.#trouble ? ` ${this.#trouble}` : ''}`;
    return hasFailure ? null : this.#trouble;
  }

  #describe(text: string): void {
    const [, name, rest = ''] = member.exec(text) ?? [];
    const value = unquoted(rest.trim());
    const test = this.#tests.at(-1);
    if (test && name !== undefined && value !== '' && !/^[|>][-+]?$/.test(value)) test.members[name] ??= value;
  }

  #explained({ test, comments, members }: TapTest): ImportedTest {
    const { message, error, duration_ms: took, location, file, line } = members;
    const found = members.got ?? members.found ?? members.actual;
    const wanted = members.expected ?? members.wanted ?? members.expect;
    const compared = found !== undefined && wanted !== undefined ? `got ${found}, expected ${wanted}` : null;
    const brokenStep = test.steps.find(({ status }) => status === 'failed')?.text;
    const said = test.outcome === 'Failed' ? fromComments(comments, this.#asideOf(test)) : null;
    return {
      ...test,
      durationMs: took === undefined ? test.durationMs : Math.round(Number(took)) || 0,
      file: file ?? location ?? said?.file ?? null,
      line: line === undefined ? (said?.line ?? null) : Number.parseInt(line, 10) || null,
      message:
        test.outcome === 'Failed'
          ? (message ?? error ?? compared ?? said?.message ?? brokenStep ?? null)
          : test.message,
      stackTrace: said?.text || null,
    };
  }

  /** The block that begins with the name of this test; the name is removed. */
  #asideOf({ name }: ImportedTest): string[] {
    const isHead = (line: string) => /^ *Failed test /.test(line);
    const isHere = (at: number) => this.#file === '' || (this.#aside[at + 1] ?? '').includes(this.#file);
    const at = this.#aside.findIndex((line, index) => isHead(line) && line.includes(`'${name}'`) && isHere(index));
    if (at < 0) return [];
    const next = this.#aside.findIndex((line, index) => index > at && (isHead(line) || /^ *Looks like /.test(line)));
    return this.#aside.splice(at, (next < 0 ? this.#aside.length : next) - at);
  }
}

const depthOf = (indent = '') => Math.floor(indent.length / 4);

function unquoted(value: string): string {
  const isQuoted = value.length > 1 && /^['"]/.test(value) && value.at(-1) === value[0];
  return isQuoted ? value.slice(1, -1) : value;
}

/** Locations as bats and Test::More write them; the rest is the message. */
function fromComments(comments: readonly string[], aside: readonly string[]) {
  const lines = [...comments, ...aside];
  const text = lines.join('\n').trim();
  const place = lines.map((line) => placeIn(line)).find((found) => found !== null) ?? null;
  const isPlain = (line: string) => line.trim() !== '' && placeIn(line) === null && !/^ *Failed test /.test(line);
  const told = lines.filter(isPlain).map((line) => line.trim());
  const compared = told.filter((line) => /^(?:got|expected|Structures begin|'?.* !?=|.*failed$)/.test(line));
  const message = (compared.length > 0 ? compared.slice(0, 2) : told.slice(0, 1)).join(', ') || null;
  return { message, text, file: place?.file ?? null, line: place?.line ?? null };
}

function placeIn(line: string): { file: string; line: number } | null {
  const perl = /^ *at (\S+) line (\d+)\.?$/.exec(line);
  // bounded by longestLine
  const bats = /^\((?:in|from) .*file ([^,]+), line (\d+)\)?/.exec(line.slice(0, longestLine));
  const [, file = '', number = ''] = perl ?? bats ?? [];
  return file === '' ? null : { file, line: Number(number) };
}
