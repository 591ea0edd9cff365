import { type Refusal, refuse, refuseShape } from '../kernel/outcome.ts';

export const maxDepth = 64;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses a body strictly: UTF-8, JSON, and no deeper than anyone needs. Others get their turn while a long one is looked through. */
export async function parseJson(body: Uint8Array): Promise<{ value: unknown } | Refusal> {
  const scan = new DepthScan();
  for (let from = 0; from < body.length; from += sliceBytes) {
    if (from > 0) await new Promise((resolve) => setImmediate(resolve));
    scan.read(body.subarray(from, from + sliceBytes));
  }
  return parseScanned(body, scan);
}

/** The same of a short body, at once. */
export function readJson(body: Uint8Array): { value: unknown } | Refusal {
  const scan = new DepthScan();
  scan.read(body);
  return parseScanned(body, scan);
}

function parseScanned(body: Uint8Array, scan: DepthScan): { value: unknown } | Refusal {
  if (scan.deepest > maxDepth) {
    return refuse('body_too_large', `The JSON is nested deeper than ${maxDepth} levels. Send it flatter.`);
  }
  try {
    return { value: JSON.parse(utf8.decode(body)) };
  } catch (error) {
    return refuseShape([{ path: '', message: `the body is no JSON (${reason(error)})` }]);
  }
}

const reason = (error: unknown): string =>
  error instanceof SyntaxError ? error.message.replace(/\s+/g, ' ').slice(0, 120) : 'it is not UTF-8';

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [34, 92, 123, 125, 91, 93];

const sliceBytes = 512 * 1024;

/** How deep braces and brackets nest, read off the bytes so that nothing deep is ever built. Stops past the limit. */
class DepthScan {
  deepest = 0;
  #depth = 0;
  #inText = false;
  #escaped = false;

  read(slice: Uint8Array): void {
    for (let at = 0; at < slice.length && this.deepest <= maxDepth; at += 1) {
      const byte = slice[at];
      if (this.#escaped) this.#escaped = false;
      else if (this.#inText) {
        if (byte === backslash) this.#escaped = true;
        else if (byte === quote) this.#inText = false;
      } else if (byte === quote) this.#inText = true;
      else if (byte === openBrace || byte === openBracket) {
        this.#depth += 1;
        if (this.#depth > this.deepest) this.deepest = this.#depth;
      } else if (byte === closeBrace || byte === closeBracket) this.#depth -= 1;
    }
  }
}
