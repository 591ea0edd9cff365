import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Recorded } from '../kernel/event-log.ts';
import { Refused, refuse } from '../kernel/outcome.ts';

type Content = Pick<Recorded, 'stream' | 'version' | 'topic' | 'type' | 'at' | 'by' | 'provenance'>;

/** The store holds something else than was written. Whoever starts on it would act on what nobody did. */
export class DamagedStore extends Refused {
  constructor(what: string, cause?: unknown) {
    const next = 'Nothing was changed. Restore a backup, or move the file away to begin anew.';
    super(refuse('store_unavailable', `The store is damaged: ${what}. ${next}`));
    this.name = 'DamagedStore';
    this.cause = cause;
  }
}

const chance = 28;

function sumOf(start: string, { stream, version, topic, type, at, by, provenance }: Content, text: string): string {
  const whole = JSON.stringify([start, stream, version, topic, type, at, by, provenance, text]);
  return crc32(whole).toString(16).padStart(8, '0');
}

/** A UUID of version 8: its last 32 bits are a checksum over the event, the others are chance. */
export function sealedId(content: Content, text: string): string {
  const id = randomUUID();
  const start = `${id.slice(0, 14)}8${id.slice(15, chance)}`;
  return start + sumOf(start, content, text);
}

/** Events of before there were seals have ids of version 4 and are taken as they are. */
export const isIntact = (id: string, content: Content, text: string): boolean =>
  id[14] === '4' || id.slice(chance) === sumOf(id.slice(0, chance), content, text);
