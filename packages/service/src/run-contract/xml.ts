const esc = '\\u001b';
/** Terminal escapes. Built from text, because a literal must not contain the control character. */
// linear: no alternative begins with a character that another one continues with.
const terminal = new RegExp(
  `${esc}\\][^\\u0007${esc}]*(?:\\u0007|${esc}\\\\)|[${esc}\\u009b]\\[?[0-?]*[ -/]*[@-~]`,
  'g',
);
const illegal = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const plain = /^[ !#-%'-;=?-~]*$/;
const special: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};
const marked = (mark: string): string => special[mark] ?? mark;

/** Keeps only characters that XML 1.0 allows: the others may not even be written as references. */
const legal = (text: string): string => text.replace(terminal, '').replace(illegal, '\uFFFD');

export const xmlText = (text: string): string =>
  plain.test(text) ? text : legal(text).replace(/[&<>]/g, marked).replaceAll('\r', '&#13;');

export const xmlAttribute = (text: string): string =>
  plain.test(text) ? text : legal(text).replace(/[&<>"\t\n\r]/g, marked);
