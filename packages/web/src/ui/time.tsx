import { useSyncExternalStore } from 'react';
import { counted } from './count.ts';

/** How far this browser's clock is from the service's; leases end by the service's. */
let offsetMs = 0;
export function learnOffset(dateHeader: string | null): void {
  const theirs = Date.parse(dateHeader ?? '');
  const off = theirs - Date.now();
  // The header has whole seconds, so a small difference says nothing.
  if (!Number.isNaN(off)) offsetMs = Math.abs(off) > 2_000 ? off : 0;
}

const listeners = new Set<() => void>();
let timer: number | undefined;
let second = Math.floor(Date.now() / 1000);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= window.setInterval(() => {
    second = Math.floor(Date.now() / 1000);
    for (const tell of listeners) tell();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The service's time in milliseconds, moving once a second for everyone at once. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => second) * 1000 + offsetMs;
}

const units: readonly [number, string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
];

/** `4 s`, `11 min`, `3 h`, `2 d`. */
export function roughly(ms: number): string {
  for (const [size, unit] of units) if (ms >= size) return `${Math.floor(ms / size)} ${unit}`;
  return '0 s';
}

/** `0.41 s`, `110 ms`, `2 min 5 s`: how long something took. */
export function took(ms: number | null): string {
  if (ms === null) return '';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 1_000 ? `${hours} h ${minutes % 60} min` : `${counted(hours)} h`;
}

/** `21:40`, `1:02:09`: what is left of a lease. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${two(m)}:${two(s)}`;
}

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
export const when = (iso: string): string => full.format(new Date(iso));

/** A sentence of the service with its instants as this reader's clock shows them. */
export const readable = (text: string): string =>
  text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (iso) => when(iso));

/** How long ago; the exact instant is in its title. */
export function Ago({ at, suffix = '' }: { at: string | null; suffix?: string }) {
  const now = useNow();
  if (at === null) return <span className="text-fg-3">never</span>;
  return (
    <time dateTime={at} title={when(at)} className="whitespace-nowrap">
      {roughly(Math.max(0, now - Date.parse(at)))}
      {suffix}
    </time>
  );
}
