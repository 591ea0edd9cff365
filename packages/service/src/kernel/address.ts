/** The position of `name:password@` in an address; undefined if it has none. */
function loginIn(url: string): { from: number; to: number } | undefined {
  const from = url.indexOf('://') + '://'.length;
  if (from < '://'.length) return undefined;
  const authority = url.slice(from).split(/[/?#]/, 1)[0] ?? '';
  const at = authority.lastIndexOf('@');
  return at < 0 ? undefined : { from, to: from + at };
}

/** An address that may be logged, returned and fetched: without the name and password that people write into it. */
export function withoutLogin(url: string): string {
  const login = loginIn(url);
  return login ? url.slice(0, login.from) + url.slice(login.to + 1) : url;
}

/** `name:password` of an address, decoded; undefined if it has none. */
export function loginOf(url: string): string | undefined {
  const login = loginIn(url);
  return login && url.slice(login.from, login.to).split(':').map(decoded).join(':');
}

/** Unchanged if it is not encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * A text without the passwords of the addresses in it: `scheme://user:password@host`, and everything before the @ of a
 * web address, which may be a token.
 */
export function withoutPasswords(text: string, hide: () => string = () => '***'): string {
  if (!text.includes('://')) return text;
  const [first = '', ...rest] = text.split('://');
  let scheme = first;
  const safe = rest.map((part) => {
    const isWeb = /https?$/i.test(scheme.slice(-5));
    scheme = part;
    const end = part.search(/[\s/?#"'`<>\\]/);
    const authority = end < 0 ? part : part.slice(0, end);
    const at = authority.lastIndexOf('@');
    const colon = authority.slice(0, Math.max(at, 0)).indexOf(':');
    if (at < 0) return part;
    if (colon >= 0) return `${part.slice(0, colon)}:${hide()}${part.slice(at)}`;
    return isWeb ? `${hide()}${part.slice(at)}` : part;
  });
  return [first, ...safe].join('://');
}
