export type Sample = { seconds: number; rssMb: number; files: number };

/** Change per hour of a straight line through the samples, by least squares. */
export function slopePerHour(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(samples.map(({ seconds }) => seconds)), mean(samples.map(of))];
  const spread = samples.reduce((sum, { seconds }) => sum + (seconds - x) ** 2, 0);
  const joint = samples.reduce((sum, sample) => sum + (sample.seconds - x) * (of(sample) - y), 0);
  return spread === 0 ? 0 : (joint / spread) * 3600;
}

const [width, height, left, gap] = [800, 150, 70, 60];

function panel(samples: readonly Sample[], of: (sample: Sample) => number, title: string, top: number): string {
  const most = Math.max(...samples.map(of)) * 1.1;
  const end = Math.max(...samples.map(({ seconds }) => seconds), 1);
  const points = samples
    .map(
      (sample) =>
        `${(left + (sample.seconds / end) * width).toFixed(1)},${(top + height - (of(sample) / most) * height).toFixed(1)}`,
    )
    .join(' ');
  return `<text x="${left}" y="${top - 8}">${title}</text>
<path d="M${left} ${top}V${top + height}H${left + width}" fill="none" stroke="#888"/>
<text x="${left - 6}" y="${top + 10}" text-anchor="end">${most.toFixed(0)}</text><text x="${left - 6}" y="${top + height}" text-anchor="end">0</text>
<text x="${left + width}" y="${top + height + 18}" text-anchor="end">${(end / 60).toFixed(0)} min</text>
<polyline points="${points}" fill="none" stroke="#2563eb" stroke-width="1.5"/>`;
}

/** Memory and open files over time, as a self-contained picture. */
export function plot(samples: readonly Sample[], title: string): string {
  const whole = 2 * (height + gap) + 40;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + width + 20} ${whole}" font-family="sans-serif" font-size="12">
<title>${title}</title>
<rect width="100%" height="100%" fill="#fff"/><text x="${left}" y="20" font-size="14">${title}</text>
${panel(samples, ({ rssMb }) => rssMb, 'resident memory, MB', 60)}
${panel(samples, ({ files }) => files, 'open descriptors', 60 + height + gap)}
</svg>
`;
}
