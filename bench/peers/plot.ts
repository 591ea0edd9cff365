export type Bar = { name: string; median: number; low: number; high: number };

const width = 760;
const left = 270;
const row = 34;

/** Bars with their ranges, readable on light and dark pages. */
export function barsOf(title: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ high }) => high), 1);
  const x = (value: number) => left + (value / most) * (width - left - 80);
  const lines = bars.map(({ name, median, low, high }, index) => {
    const y = 40 + index * row;
    const colour = name.startsWith('Signalbox') ? '#4f63e6' : '#8a8f9c';
    return [
      `<text x="${left - 10}" y="${y + 15}" text-anchor="end">${name}</text>`,
      `<rect x="${left}" y="${y + 2}" width="${(x(median) - left).toFixed(1)}" height="18" rx="3" fill="${colour}"/>`,
      `<path d="M${x(low).toFixed(1)} ${y + 11}H${x(high).toFixed(1)}" stroke="#d08a2e" stroke-width="2"/>`,
      `<text x="${(x(high) + 8).toFixed(1)}" y="${y + 15}">${Math.round(median).toLocaleString('en')}</text>`,
    ].join('');
  });
  const height = 50 + bars.length * row;
  const style = 'text{font:13px system-ui,sans-serif;fill:#7a8090}';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}"><style>${style}</style><text x="10" y="22">${title}</text>${lines.join('')}</svg>\n`;
}
