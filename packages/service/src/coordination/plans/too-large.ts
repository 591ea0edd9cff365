import { Lexer } from 'yaml';

/** As many as a plan of 500,000 values has; what the parser builds of more takes more memory than its thread is given. */
const mostSigns = 1_500_000;

export const tooLarge = 'is too large to be read in one piece; send it as JSON, or add the nodes in several calls';

/** Whether a YAML text has more names, values and signs between them than are read. They are counted before any is kept. */
export function isTooLarge(text: string): boolean {
  // A character is at most a sign and the mark of a value before it.
  if (2 * text.length <= mostSigns) return false;
  let signs = 0;
  for (const token of new Lexer().lex(text)) {
    if (/^[^\s#]/.test(token)) signs += 1;
    if (signs > mostSigns) return true;
  }
  return false;
}
