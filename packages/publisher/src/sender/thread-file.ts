/** The program of the sending thread. The publisher of one file brings it along as a text. */
export const threadFile: URL = new URL(
  /\.ts(\?|$)/.test(import.meta.url) ? './thread.ts' : './thread.js',
  import.meta.url,
);
