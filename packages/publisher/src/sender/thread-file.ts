/** The program of the sending thread. The one-file publisher includes it as a string. */
export const threadFile: URL = new URL(
  /\.ts(\?|$)/.test(import.meta.url) ? './thread.ts' : './thread.js',
  import.meta.url,
);
