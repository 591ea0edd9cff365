/** A bound against abuse: real events are longer, so no real batch has as many. */
export const eventsAtMost = 100_000;

/** Room for the largest attachment, and for a megabyte of text of which each character is escaped. */
export const eventBytesAtMost = 6 * 1024 * 1024;

/**
 * What one event, or the batch around its events, may have outside its texts. A text is read at once, however long; a
 * hundred thousand brackets take as long as a batch of them.
 */
export const structureAtMost = 128 * 1024;

export const tooManyEvents = `Send at most ${eventsAtMost} events at once.`;
export const eventTooLong = `An event may have ${eventBytesAtMost} bytes. Send less in one event.`;
export const tooMuchStructure = `An event may have at most ${structureAtMost} bytes outside its texts, and a batch as many outside its events. Send less in one event.`;
