/** A key made from a title: `Rewrite the lexer` becomes `rewrite-the-lexer`. */
export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100);

/** The slug of a title, with a number if it is taken. */
export function freeSlugOf(title: string, isTaken: (slug: string) => boolean): string {
  const slug = slugOf(title) || 'node';
  if (!isTaken(slug)) return slug;
  for (let number = 2; ; number += 1) if (!isTaken(`${slug}-${number}`)) return `${slug}-${number}`;
}
