/**
 * A text without the passwords of its addresses, wherever they stand: `scheme://user:password@host`, and all before the @
 * of a web address, which may be a token.
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
