/** Where `name:password@` stands in an address; undefined where it does not. */
function loginIn(url: string): { from: number; to: number } | undefined {
  const from = url.indexOf('://') + '://'.length;
  if (from < '://'.length) return undefined;
  const authority = url.slice(from).split(/[/?#]/, 1)[0] ?? '';
  const at = authority.lastIndexOf('@');
  return at < 0 ? undefined : { from, to: from + at };
}

/** An address as it may be logged, answered and fetched: without the name and password that many write into it. */
export function withoutLogin(url: string): string {
  const login = loginIn(url);
  return login ? url.slice(0, login.from) + url.slice(login.to + 1) : url;
}

/** `name:password` of an address, decoded; undefined where it has none. */
export function loginOf(url: string): string | undefined {
  const login = loginIn(url);
  return login && url.slice(login.from, login.to).split(':').map(decoded).join(':');
}

/** As it stands where it is not encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
