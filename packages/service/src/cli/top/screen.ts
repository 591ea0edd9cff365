import type { Section, SectionKey, Tone } from './sections.ts';

export type Size = { columns: number; rows: number };
/** The selection: a section, a row of it, and whether the key help is open. */
export type Choice = { section: SectionKey; row: number; help: boolean; paused: boolean };
export type Line = { text: string; tone: Tone; bold: boolean; chosen: boolean };

const plain = (text: string, more: Partial<Line> = {}): Line => ({
  text,
  tone: null,
  bold: false,
  chosen: false,
  ...more,
});

export const keysHelp: readonly string[] = [
  'n needs   a sessions   c claims   w ready work   r runs   tab next section',
  'up, down or j, k: choose a row   enter: details   o: open the page',
  'space: pause   l: print as plain lines   ?: this help   q: quit',
];

/** The board as terminal lines, never more than its rows and columns. */
export function screenOf(
  sections: readonly Section[],
  status: string,
  choice: Choice,
  { columns, rows }: Size,
): Line[] {
  const foot = choice.help ? keysHelp : ['? keys   q quit'];
  const room = Math.max(0, rows - 1 - foot.length - sections.length);
  const shares = sharesOf(sections, choice.section, room);
  const lines = [
    plain(status, { bold: true }),
    ...sections.flatMap((section, index) => sectionLines(section, shares[index] ?? 0, choice)),
  ];
  const body = lines.slice(0, Math.max(1, rows - foot.length));
  const blank = Array.from({ length: Math.max(0, rows - foot.length - body.length) }, () => plain(''));
  return [...body, ...blank, ...foot.map((text) => plain(text, { tone: 'quiet' }))]
    .slice(0, rows)
    .map((line) => ({ ...line, text: cut(line.text, columns) }));
}

/** Every section has at least one row; the chosen one gets the remaining rows. */
function sharesOf(sections: readonly Section[], chosen: SectionKey, room: number): number[] {
  const wanted = sections.map(({ rows }) => Math.max(1, rows.length));
  const shares = sections.map(() => 0);
  const order = [...sections.keys()].sort(
    (a, b) => Number(sections[b]?.key === chosen) - Number(sections[a]?.key === chosen),
  );
  for (let left = room; left > 0; ) {
    const before = left;
    for (const index of order) {
      if (left === 0 || (shares[index] ?? 0) >= (wanted[index] ?? 0)) continue;
      const step = sections[index]?.key === chosen ? Math.min(left, 3, (wanted[index] ?? 0) - (shares[index] ?? 0)) : 1;
      shares[index] = (shares[index] ?? 0) + step;
      left -= step;
    }
    if (before === left) break;
  }
  return shares;
}

function sectionLines({ key, title, rows, empty }: Section, share: number, { section, row }: Choice): Line[] {
  const isChosen = key === section;
  const first = isChosen ? Math.max(0, Math.min(row - share + 1, rows.length - share)) : 0;
  const shown = rows.slice(first, first + share);
  const more = rows.length - shown.length;
  const heading = `${isChosen ? '>' : ' '} ${title} (${rows.length})${more > 0 ? `, ${more} not shown` : ''}  [${key}]`;
  const body = shown.map(({ text, tone }, index) => {
    const chosen = isChosen && first + index === row;
    return plain(`  ${chosen ? '> ' : '  '}${text}`, { tone, chosen });
  });
  return [
    plain(heading, { bold: true }),
    ...(rows.length === 0 && share > 0 ? [plain(`    ${empty}`, { tone: 'quiet' })] : body),
  ];
}

const cut = (text: string, columns: number): string =>
  text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}\u2026`;

/** The output of a command, shown until the next key. */
export function detailsScreen(texts: readonly string[], { columns, rows }: Size): Line[] {
  const shown = texts.slice(0, Math.max(0, rows - 1));
  const blank = Array.from({ length: Math.max(0, rows - 1 - shown.length) }, () => '');
  const foot =
    texts.length > shown.length ? `${texts.length - shown.length} more lines; any key: back` : 'any key: back';
  return [...shown, ...blank]
    .map((text) => plain(cut(text, columns)))
    .concat(plain(cut(foot, columns), { tone: 'quiet' }));
}

/** The selection after a key press; unchanged if the key has no meaning. */
export function afterKey(choice: Choice, key: string, sections: readonly Section[]): Choice {
  const index = sections.findIndex((section) => section.key === choice.section);
  const count = sections[index]?.rows.length ?? 0;
  const move = (by: number): Choice => ({ ...choice, row: Math.max(0, Math.min(count - 1, choice.row + by)) });
  const goTo = (at: number): Choice => {
    const section = sections[(at + sections.length) % sections.length];
    return section ? { ...choice, section: section.key, row: 0 } : choice;
  };
  const named = sections.findIndex((section) => section.key === key);
  if (named >= 0) return goTo(named);
  if (key === 'tab') return goTo(index + 1);
  if (key === 'backtab') return goTo(index - 1);
  if (key === 'down' || key === 'j') return move(1);
  if (key === 'up' || key === 'k') return move(-1);
  if (key === '?') return { ...choice, help: !choice.help };
  return key === 'space' ? { ...choice, paused: !choice.paused } : choice;
}

/** Without a terminal, and for a screen reader: every row is a separate line under its section. */
export const plainText = (sections: readonly Section[], status: string): string =>
  [
    status,
    ...sections.flatMap(({ title, rows, empty }) => [
      `${title}: ${rows.length}`,
      ...(rows.length === 0 ? [`  ${empty}`] : rows.map(({ text }) => `  ${text}`)),
    ]),
  ].join('\n');
