import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';

/**
 * The state folded up to an event, as plain data. The log is authoritative: a snapshot that does not match is
 * discarded.
 */
export type Snapshot = {
  epoch: string;
  sequence: number;
  /** The id of the last event in it. */
  id: string;
  versions: ReadonlyMap<string, number>;
  /** The state of each projection, by the name under which it is saved. */
  states: ReadonlyMap<string, unknown>;
};

/** The storage of a host's one snapshot. Reading returns null if no snapshot fits. */
export type Snapshots = {
  read(): Snapshot | null;
  write(snapshot: Snapshot): Promise<void>;
  /** Called if the snapshot that was read does not belong to this log. */
  discarded?(found: UnusableSnapshot): void;
  /**
   * A new snapshot is written after so many events while running, and after so many at an orderly end: reading fewer
   * events takes no noticeable time.
   */
  every?: { running: number; atEnd: number };
};

export const snapshotEvery = { running: 50_000, atEnd: 5_000 };

const format = 2;
type Header = { format: number; program: string; bytes: number; crc32: number };

/** `program` names the code that folded it: another program may fold differently. */
export function encodeSnapshot(program: string, snapshot: Snapshot): Buffer {
  const body = serialize(snapshot);
  const header: Header = { format, program, bytes: body.length, crc32: crc32(body) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]);
}

/** Why a snapshot cannot be used. `damaged` if it differs from what was written, which an upgrade cannot explain. */
export type UnusableSnapshot = { why: string; damaged: boolean };

export function whyUnusable(program: string, bytes: Buffer): UnusableSnapshot {
  const header = headerOf(bytes);
  if (!header) return { why: 'its head cannot be read', damaged: true };
  if (header.format !== format || header.program !== program)
    return { why: 'another version of Signalbox wrote it', damaged: false };
  return { why: 'it is cut off or differs from what was written', damaged: true };
}

function headerOf(bytes: Buffer): Header | null {
  try {
    return JSON.parse(bytes.subarray(0, bytes.indexOf(10)).toString());
  } catch {
    return null;
  }
}

/** Null if it comes from another program or format, or is truncated or damaged. */
export function decodeSnapshot(program: string, bytes: Buffer): Snapshot | null {
  try {
    const header = headerOf(bytes);
    const body = bytes.subarray(bytes.indexOf(10) + 1);
    const fits = header?.format === format && header.program === program && header.bytes === body.length;
    return fits && header.crc32 === crc32(body) ? deserialize(body) : null;
  } catch {
    return null;
  }
}
