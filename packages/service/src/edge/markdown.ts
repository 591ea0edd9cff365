const entity = (sign: string): string => `&#${sign.charCodeAt(0)};`;

/** The text escaped for HTML, including attributes. */
export const plain = (text: string): string => text.replace(/[&<>"']/g, entity);

/** The text of the first heading. */
export const titleOf = (markdown: string): string => /^# (.*)$/m.exec(markdown)?.[1] ?? '';

/** The Markdown of our own documents as HTML: headings, paragraphs, lists, tables, code and links. Pictures are left out. */
export function htmlOf(markdown: string): string {
  const lines = markdown.split('\n');
  const out: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const kind = kindOf(lines[at] ?? '');
    let end = at + 1;
    if (kind === 'code') {
      while (end < lines.length && !lines[end]?.startsWith('```')) end += 1;
      out.push(`<pre><code>${plain(lines.slice(at + 1, end).join('\n'))}</code></pre>`);
      end += 1;
    } else {
      while (end < lines.length && goesOn(kind, lines[end] ?? '')) end += 1;
      out.push(blocks[kind](lines.slice(at, end)));
    }
    at = end;
  }
  return out.join('\n');
}

type Kind = 'code' | 'heading' | 'table' | 'list' | 'picture' | 'empty' | 'paragraph';

const item = /^(?:[-*]|\d{1,3}\.) /;

function kindOf(line: string): Kind {
  if (line.trim() === '') return 'empty';
  if (line.startsWith('```')) return 'code';
  if (/^#{1,4} /.test(line)) return 'heading';
  if (line.startsWith('|')) return 'table';
  if (line.startsWith('![')) return 'picture';
  return item.test(line) ? 'list' : 'paragraph';
}

function goesOn(kind: Kind, line: string): boolean {
  const next = kindOf(line);
  if (kind === 'list') return next === 'list' || next === 'paragraph';
  return (kind === 'table' || kind === 'paragraph' || kind === 'empty') && next === kind;
}

const blocks: Record<Exclude<Kind, 'code'>, (lines: readonly string[]) => string> = {
  heading([line = '']) {
    const depth = line.indexOf(' ');
    const text = line.slice(depth + 1);
    const anchor = text
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replace(/\s/g, '-');
    return `<h${depth} id="${anchor}">${inline(text)}</h${depth}>`;
  },
  table([head = '', , ...rows]) {
    const row = (line: string, cell: string) =>
      `<tr>${line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((text) => `<${cell}>${inline(text.replace('\\|', '|').trim())}</${cell}>`)
        .join('')}</tr>`;
    return `<table>${row(head, 'th')}${rows.map((line) => row(line, 'td')).join('')}</table>`;
  },
  list(lines) {
    const items: string[] = [];
    for (const line of lines) {
      if (item.test(line)) items.push(line.replace(item, ''));
      else items.push(`${items.pop()} ${line.trim()}`);
    }
    const tag = /^\d/.test(lines[0] ?? '') ? 'ol' : 'ul';
    return `<${tag}>${items.map((text) => `<li>${inline(text)}</li>`).join('')}</${tag}>`;
  },
  paragraph: (lines) => `<p>${inline(lines.join(' '))}</p>`,
  picture: () => '',
  empty: () => '',
};

/** Inline markup; text between backticks is unchanged. */
const inline = (text: string): string =>
  text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? `<code>${plain(part).replace(/[[\]]/g, entity)}</code>` : marked(part)))
    .join('')
    .replace(/\[([^[\]]*)\]\(([^()\s]*)\)/g, (_, label: string, target: string) => linked(label, target));

const marked = (text: string): string =>
  plain(text)
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
    .replace(/&#60;(https?:[^&\s]*)&#62;/g, '<a href="$1">$1</a>');

/** Links to our other documents and to other sites; other files of the checkout are not served. */
const linked = (label: string, target: string): string =>
  /^(?:https?:|#|[\w./-]+\.md(?:#|$))/.test(target) ? `<a href="${target}">${label}</a>` : label;
