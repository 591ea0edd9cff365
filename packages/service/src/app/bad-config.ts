/** A start that is refused for its settings: a sentence a line, for the person who started the process. */
export class BadConfig extends Error {}
