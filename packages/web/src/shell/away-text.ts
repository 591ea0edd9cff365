/**
 * The text of the page while the service does not answer; `heardAt` is null if it has not answered since the page
 * opened.
 */
export const awayText = (heardAt: string | null): string =>
  `You see ${heardAt === null ? 'the last known state' : `the state at ${heardAt}`}; this page continues by itself when the service is back.`;
