import type { EventOf } from './events.ts';
import type { ParsedEvent } from './read-event.ts';
import type { Run } from './run.ts';

/** No attachment is larger. */
const largestBytes = 2 * 1024 * 1024;

/** Base64 writes three bytes as four characters. */
export const attachedBytes = (data: string): number => Math.floor((data.length * 3) / 4);

/**
 * What is too large, or more than a run may keep, is named without its content: such events with what is archived in
 * their place, by their place in the batch. `taken` are those that the run takes.
 */
export function withoutExcess(
  run: Pick<Run, 'attachmentBytes'>,
  parsed: readonly ParsedEvent[],
  taken: readonly number[],
  limitBytes: number,
): ReadonlyMap<number, ParsedEvent> {
  const named = new Map<number, ParsedEvent>();
  let total = run.attachmentBytes;
  for (const at of taken) {
    const one = parsed[at];
    if (one?.event?.type !== 'attachment' || typeof one.event.data !== 'string') continue;
    const bytes = attachedBytes(one.event.data);
    const reason = reasonAgainst(bytes, total + bytes, limitBytes);
    if (reason === null) total += bytes;
    else named.set(at, nameOnly(one, one.event, reason));
  }
  return named;
}

function reasonAgainst(bytes: number, total: number, limitBytes: number): string | null {
  if (bytes > largestBytes) return `it is larger than ${largestBytes} bytes`;
  if (total <= limitBytes) return null;
  return `the run has more than ${Math.round(limitBytes / 1024 / 1024)} MB of attachments (Service:AttachmentsMb)`;
}

const nameOnly = (one: ParsedEvent, event: EventOf<'attachment'>, reason: string): ParsedEvent => ({
  ...one,
  raw: { ...one.raw, data: null, reason },
  event: { ...event, data: null, reason },
});
