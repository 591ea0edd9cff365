import type { z } from 'zod';
import type { RecordedEvent } from './event-log.ts';

/** The events that one kind of stream holds. The version counts up when what an event carries changes its meaning. */
export type EventSchemas = { version: number; types: Readonly<Record<string, z.ZodType>> };

type TypeIn<Schemas extends EventSchemas> = keyof Schemas['types'] & string;

/** The events of a room as a union that a switch over `type` takes apart. */
export type EventIn<Schemas extends EventSchemas> = {
  [Type in TypeIn<Schemas>]: { type: Type; data: z.output<Schemas['types'][Type]> };
}[TypeIn<Schemas>];

/** The same events as the log holds them. */
export type Recorded<Event extends { type: string; data: unknown }> = Event extends unknown
  ? RecordedEvent<Event['type'], Event['data']>
  : never;
