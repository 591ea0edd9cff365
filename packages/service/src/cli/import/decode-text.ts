/** XML declares its encoding; shells on Windows write UTF-16 with a byte order mark. */
export function decodeText(content: Uint8Array): string {
  const encoding = byteOrderMarkOf(content) ?? declaredIn(content) ?? 'utf-8';
  try {
    return new TextDecoder(encoding).decode(content);
  } catch {
    throw new Error(`the file declares the unknown encoding ${encoding}; save it as UTF-8`);
  }
}

function byteOrderMarkOf([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** Text readable byte by byte is not UTF-16: some writers declare UTF-16 but write UTF-8. */
function declaredIn(content: Uint8Array): string | undefined {
  const head = Buffer.from(content.subarray(0, 200)).toString('latin1');
  const named = /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*\sencoding\s*=\s*["']([^"']+)["']/.exec(head)?.[1];
  return named?.toLowerCase().startsWith('utf-16') ? undefined : named;
}
