export type Figure = { row: string; text: string };
export type FailedTest = { title: string; why: string };
/** `passed` is null if the part is a script with its own counts. */
export type PartResult = {
  name: string;
  isGreen: boolean;
  passed: number | null;
  failed: readonly FailedTest[];
  seconds: number;
};
export type LongRun = { commit: string; date: string; results: readonly PartResult[]; figures: readonly Figure[] };

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** The rows between a pair of markers, by their first cell. */
function rowsBetween(page: string, marker: string): { rows: Map<string, string>; replace(rows: string[]): string } {
  const [begin, end] = [`<!-- ${marker} -->\n`, `<!-- /${marker} -->`];
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The page has no ${begin.trim()} … ${end}.`);
  const lines = page
    .slice(from + begin.length, to)
    .split('\n')
    .filter(Boolean);
  const head = lines.slice(0, 2);
  const keyOf = (line: string) => line.split('|')[1]?.trim() ?? '';
  return {
    rows: new Map(lines.slice(2).map((line) => [keyOf(line), line])),
    replace: (rows) => `${page.slice(0, from + begin.length)}${[...head, ...rows].join('\n')}\n${page.slice(to)}`,
  };
}

/** The page with the results of the parts that ran; rows of other parts are unchanged. */
export function withResults(page: string, { commit, date, results, figures }: LongRun): string {
  const parts = rowsBetween(page, 'long parts');
  for (const { name, isGreen, passed, failed, seconds } of results) {
    const verdict = isGreen
      ? `green${passed === null ? '' : `, ${passed} tests`}`
      : `RED: ${failed.map(({ title }) => title).join('; ')}`;
    parts.rows.set(name, `| ${name} | ${date} | ${commit} | ${seconds} s | ${cell(verdict)} |`);
  }
  const table = rowsBetween(parts.replace([...parts.rows.values()]), 'long figures');
  for (const row of new Set(figures.map((figure) => figure.row))) {
    const texts = figures.filter((figure) => figure.row === row).map(({ text }) => text);
    table.rows.set(row, `| ${row} | ${date} | ${commit} | ${cell(texts.join('; '))} |`);
  }
  const inOrder = [...table.rows].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
  return table.replace(inOrder.map(([, line]) => line));
}
