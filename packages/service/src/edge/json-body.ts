import { type Refusal, refuse, refuseShape } from '../kernel/outcome.ts';

export const maxDepth = 64;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses a body strictly: UTF-8, JSON, and no deeper than anyone needs. */
export function parseJson(body: Uint8Array): { value: unknown } | Refusal {
  if (depthOf(body) > maxDepth) {
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

/** How deep braces and brackets nest, read off the bytes so that nothing deep is ever built. Stops past the limit. */
export function depthOf(body: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  let inText = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (inText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > deepest) deepest = depth;
      if (deepest > maxDepth) return deepest;
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1;
  }
  return deepest;
}
