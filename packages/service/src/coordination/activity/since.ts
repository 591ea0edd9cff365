const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** The instant that `today`, `24h`, `7d` or an ISO time means, in UTC; null for anything else. */
export function sinceInstant(text: string, now: string): string | null {
  if (text === 'today') return `${now.slice(0, 10)}T00:00:00.000Z`;
  const [, count, unit = ''] = /^(\d{1,4})([hdw])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(Date.parse(now) - Number(count) * (unitMs[unit] ?? 0)).toISOString();
  const ms = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
