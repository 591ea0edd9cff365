/** Without the characters of `any` at its end. Expressions such as /-+$/ try each start and take the square of the length. */
export function trimEndOf(text: string, any: string): string {
  let end = text.length;
  while (end > 0 && any.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Without the characters of `any` at either end. */
export function trimOf(text: string, any: string): string {
  const trimmed = trimEndOf(text, any);
  let start = 0;
  while (start < trimmed.length && any.includes(trimmed.charAt(start))) start += 1;
  return trimmed.slice(start);
}
