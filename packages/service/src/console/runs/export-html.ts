import type { TestHistoryView } from '../../run-contract/test-history.ts';
import type { AttachmentEntry } from './run.ts';

/** The built page of a run as one script and one style sheet, and an encoder for attachments. */
export type ExportPage = { script: string; scriptHash: string; style: string; base64(bytes: Uint8Array): string };

export type HtmlParts = {
  page: ExportPage;
  title: string;
  /** The detail of the run, as JSON in pieces for a script. */
  detail: AsyncIterable<string>;
  /** The histories of the failed tests by their uid, in the same form. */
  histories: AsyncIterable<string>;
  files: Iterable<AttachmentEntry>;
  read(sha256: string): Promise<Uint8Array | null>;
};

/** The limit for attachments in one file, in bytes. */
const filesAtMost = 20 * 1024 * 1024;
const shown = /^(?:image\/(?:png|jpeg|webp|gif)|video\/webm|text\/plain)$/;

/** One self-contained file that shows the run: it fetches nothing, and only its own script may run. */
export async function* htmlOf({ page, title, detail, histories, files, read }: HtmlParts): AsyncIterable<string> {
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${page.scriptHash}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'media-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>${inText(title)}</title>
<style>${page.style.replaceAll('</', '<\\/')}</style>
</head>
<body>
<div id="root"></div>
<noscript>This page needs JavaScript to show the run.</noscript>
<script type="application/json" id="run">`;
  yield* detail;
  yield '</script>\n<script type="application/json" id="histories">';
  yield* histories;
  yield '</script>\n';
  let bytes = 0;
  const written = new Set<string>();
  for (const { sha256, mediaType, size, stored } of files) {
    const [media = ''] = mediaType.toLowerCase().split(';');
    if (!stored || written.has(sha256) || !shown.test(media) || bytes + size > filesAtMost) continue;
    const content = await read(sha256);
    if (!content) continue;
    written.add(sha256);
    bytes += content.length;
    yield `<script type="text/plain" data-sha256="${sha256}" data-media="${media}">${page.base64(content)}</script>\n`;
  }
  yield `<script type="module">${page.script}</script>\n</body>\n</html>\n`;
}

export function* historyPieces(histories: Readonly<Record<string, TestHistoryView>>): Iterable<string> {
  yield '{';
  let first = true;
  for (const [uid, history] of Object.entries(histories)) {
    yield `${first ? '' : ','}${JSON.stringify(uid)}:${JSON.stringify(history)}`;
    first = false;
  }
  yield '}';
}

const sliceLength = 64 * 1024;

/**
 * Escapes `<` in JSON for a script, so that a browser finds no tag in it. In JSON it occurs only in strings.
 * Works in slices, since a string may be long; no slice ends within a surrogate pair.
 */
export function* inScript(pieces: Iterable<string>): Iterable<string> {
  for (const piece of pieces)
    for (let from = 0, to = 0; from < piece.length; from = to) {
      to = from + sliceLength;
      if (isHighSurrogate(piece.charCodeAt(to - 1))) to += 1;
      yield piece.slice(from, to).replaceAll('<', '\\u003c');
    }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const inText = (text: string): string => text.replace(/[&<>"]/g, (letter) => entities[letter] ?? letter);
