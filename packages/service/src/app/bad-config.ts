/** Invalid settings, one sentence per line, shown to the person who starts the process. */
export class BadConfig extends Error {}
