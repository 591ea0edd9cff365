/** A setting that makes no sense. The text is for whoever started the process. */
export class BadConfig extends Error {}
