import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isIntact } from './event-checksum.ts';
import { type RawEvent, rawEventIn } from './raw-event.ts';
import type { Salvaged } from './sqlite/salvage-sqlite.ts';

/** Reads the events of a plain dump (`pg_dump -n signalbox`) line by line; unreadable lines are reported. */
export async function salvageDump(path: string): Promise<Salvaged> {
  const salvaged: Salvaged = { events: new Map(), damaged: new Map(), keys: [], newest: 0 };
  let columns: readonly string[] | null = null;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const begins = /^COPY signalbox\.events \(([^)]*)\) FROM stdin;$/.exec(line)?.[1];
    if (begins !== undefined) columns = begins.split(',').map((name) => name.trim());
    else if (line === '\\.') columns = null;
    else if (columns) readRow(columns, line, salvaged);
  }
  salvaged.newest = Math.max(0, ...[...salvaged.damaged.keys()].filter(Number.isSafeInteger));
  for (const sequence of salvaged.events.keys()) salvaged.newest = Math.max(salvaged.newest, sequence);
  return salvaged;
}

function readRow(columns: readonly string[], line: string, { events, damaged }: Salvaged): void {
  const row: Record<string, unknown> = Object.fromEntries(
    line.split('\t').map((text, at) => [columns[at], unescaped(text)]),
  );
  row.sequence = Number(row.sequence);
  row.version = Number(row.version);
  row.at = isoOf(String(row.at));
  const event = eventIn(row);
  if (event) events.set(event.sequence, event);
  else damaged.set(Number(row.sequence), { stream: String(row.stream ?? ''), topic: String(row.topic ?? '') });
}

function eventIn(row: Record<string, unknown>): RawEvent | null {
  try {
    const event = rawEventIn(row);
    JSON.parse(event.data);
    return isIntact(event.id, event, event.data) ? event : null;
  } catch {
    return null;
  }
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
const unescaped = (text: string): string => text.replace(/\\(.)/g, (_, sign: string) => escapes[sign] ?? sign);

/** `2026-11-18 04:00:00.123+00` as the log writes it. */
function isoOf(text: string): string {
  const at = Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
  return Number.isNaN(at) ? text : new Date(at).toISOString();
}
