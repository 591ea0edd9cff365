import { execFile } from 'node:child_process';
import { platform } from '../../platform/platform.ts';
import { CallFailed, type RestClient } from '../client.ts';
import { clockTime } from '../figures.ts';
import { visible } from '../table.ts';
import { afterKey, type Choice, detailsScreen, plainText, screenOf } from './screen.ts';
import { type BoardFacts, type Section, sectionsOf } from './sections.ts';
import { onKeys, Terminal } from './terminal.ts';

/** Ages grow even when nothing happens. */
const refreshMs = 5_000;
/** Changes within this time cause one read. */
const gatherMs = 200;
/** If the board has not been read by then, it is shown as not answering. */
const patienceMs = 10_000;
const mostNodes = 200;
const mostRuns = 20;

export type TopOptions = {
  client: RestClient;
  /** Calls back whenever something changed, until the process ends. */
  listen: (changed: () => void) => void;
  lines: boolean;
};

async function readBoard({ call }: RestClient): Promise<BoardFacts> {
  const options = { signal: AbortSignal.timeout(patienceMs) };
  const [needs, { sessions }, nodes, runs] = await Promise.all([
    call('list_needs', {}, options),
    call('list_agents', { since: '1h' }, options),
    call('next_ready_nodes', { limit: mostNodes }, options),
    call('list_runs', { limit: mostRuns }, options),
  ]);
  return { needs, sessions, nodes: nodes.flatMap((node) => ('claim' in node ? [node] : [])), runs };
}

function statusOf({ needs: { needs, counts } }: BoardFacts, url: string, what: string): string {
  const asked =
    needs.length === 0 ? 'nothing needs you' : `${needs.length} ${needs.length === 1 ? 'needs' : 'need'} you`;
  return `signalbox ${what}  ${asked}  sessions ${counts.sessions}  claimed ${counts.claimed}  ready ${counts.ready}  live runs ${counts.liveRuns}  ${url}`;
}

const staleText = (since: string): string => `as of ${clockTime(since)}, the database has been unreachable since then`;

/** Without a terminal: prints the board once. */
export async function printBoard(client: RestClient): Promise<void> {
  const facts = await readBoard(client);
  const stale = client.staleSince();
  const what = stale === null ? 'now' : staleText(stale);
  process.stdout.write(`${plainText(sectionsOf(facts, Date.now(), 80), statusOf(facts, client.url, what))}\n`);
}

/** The board in a terminal, live, until `q`. */
export async function showBoard({ client, listen, lines }: TopOptions): Promise<void> {
  const board = new LiveBoard(client, await readBoard(client), lines);
  const ended = new Promise<void>((resolve) => {
    onKeys((key) => (key === 'q' ? resolve() : board.pressed(key)));
    process.once('SIGTERM', resolve).once('SIGINT', resolve).once('SIGHUP', resolve);
  });
  process.stdout.on('resize', () => board.resized());
  setInterval(() => board.changed(), refreshMs);
  listen(() => board.changed());
  board.open();
  await ended;
  board.close();
}

/** A line in which only an age has changed counts as unchanged. */
const withoutAge = (line: string): string => line.replace(/\d/g, '');

class LiveBoard {
  readonly #client: RestClient;
  readonly #terminal = new Terminal();
  #facts: BoardFacts;
  #choice: Choice = { section: 'n', row: 0, help: false, paused: false };
  #awaySince: string | null = null;
  #details: readonly string[] | null = null;
  #asLines: boolean;
  #printed = new Set<string>();
  #reading: NodeJS.Timeout | undefined;

  constructor(client: RestClient, facts: BoardFacts, asLines: boolean) {
    this.#client = client;
    this.#facts = facts;
    this.#asLines = asLines;
  }

  open(): void {
    if (!this.#asLines) this.#terminal.open();
    this.#draw();
  }

  close(): void {
    this.#terminal.close();
  }

  resized(): void {
    this.#terminal.forget();
    this.#draw();
  }

  changed(): void {
    this.#reading ??= setTimeout(() => {
      this.#reading = undefined;
      void this.#read();
    }, gatherMs);
  }

  pressed(key: string): void {
    if (this.#details !== null) this.#details = null;
    else if (key === 'return') this.#showDetails();
    else if (key === 'o') void platform.openInBrowser(this.#client.url);
    else if (key === 'l') this.#switchLines();
    else this.#choice = afterKey(this.#choice, key, this.#sections());
    this.#draw();
  }

  #switchLines(): void {
    this.#asLines = !this.#asLines;
    this.#printed = new Set();
    if (this.#asLines) this.#terminal.close();
    else this.#terminal.open();
  }

  async #read(): Promise<void> {
    try {
      this.#facts = await readBoard(this.#client);
      this.#awaySince = null;
    } catch (fault) {
      if (!(fault instanceof CallFailed)) throw fault;
      this.#awaySince ??= new Date().toTimeString().slice(0, 8);
    }
    if (!this.#choice.paused) this.#draw();
  }

  /** Details are the output of other commands. */
  #showDetails(): void {
    const row = this.#sections().find(({ key }) => key === this.#choice.section)?.rows[this.#choice.row];
    if (row === undefined) return;
    const args = [process.argv[1] ?? '', ...row.details, '--url', this.#client.url];
    execFile(process.execPath, args, (_fault, out, err) => {
      this.#details = `${out}${err}`.split('\n').map(visible);
      this.#draw();
    });
  }

  #sections(): Section[] {
    return sectionsOf(this.#facts, Date.now(), this.#terminal.size.columns);
  }

  #draw(): void {
    const live = this.#choice.paused ? 'paused' : 'live';
    const stale = this.#client.staleSince();
    const seen = stale === null ? live : staleText(stale);
    const what = this.#awaySince === null ? seen : `no answer since ${this.#awaySince}`;
    const status = statusOf(this.#facts, this.#client.url, what);
    const { size } = this.#terminal;
    if (this.#asLines) this.#printNew(status);
    else if (this.#details) this.#terminal.draw(detailsScreen(this.#details, size));
    else this.#terminal.draw(screenOf(this.#sections(), status, this.#choice, size));
  }

  /** For a screen reader: only lines that were not printed before. */
  #printNew(status: string): void {
    const lines = [
      status,
      ...this.#sections().flatMap(({ title, rows }) => rows.map(({ text }) => `${title}: ${text}`)),
    ];
    const fresh = lines.filter((line) => !this.#printed.has(withoutAge(line)));
    this.#printed = new Set(lines.map(withoutAge));
    if (fresh.length > 0) process.stdout.write(`${fresh.join('\n')}\n`);
  }
}
