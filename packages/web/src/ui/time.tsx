import { useSyncExternalStore } from 'react';
import { formatCount, formatNumber } from './format-count.ts';

/** The difference between the shown time and this browser's clock. */
let offsetMs = 0;
export function setClockOffset(ms: number): void {
  offsetMs = ms;
}

let stoppedAt: number | null = null;
/** Stops every clock and counter of the page, or restarts them. */
export function setClockStopped(stopped: boolean): void {
  stoppedAt = stopped ? (stoppedAt ?? second) : null;
}

const secondListeners = new Set<() => void>();
let timer: number | undefined;
let second = Math.floor(Date.now() / 1000);

function subscribe(listener: () => void): () => void {
  secondListeners.add(listener);
  timer ??= window.setInterval(() => {
    second = Math.floor(Date.now() / 1000);
    for (const notify of secondListeners) notify();
  }, 1000);
  return () => {
    secondListeners.delete(listener);
    if (secondListeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The service's time in milliseconds; all components update together, once a second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => stoppedAt ?? second) * 1000 + offsetMs;
}

/** This browser's time, which also continues while the clocks of the page are stopped. */
export const useBrowserNow = (): number => useSyncExternalStore(subscribe, () => second) * 1000;

const units: readonly [number, string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
];

/** `4 s`, `11 min`, `3 h`, `2 d`. */
export function formatAge(ms: number): string {
  for (const [size, unit] of units) if (ms >= size) return `${Math.floor(ms / size)} ${unit}`;
  return '0 s';
}

/** `0.41 s`, `110 ms`, `2 min 5 s`: how long something took. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return '';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${formatNumber(ms / 1000, ms < 10_000 ? 2 : 1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 1_000 ? `${hours} h ${minutes % 60} min` : `${formatCount(hours)} h`;
}

/** A forecast, rounded to its likely accuracy: `50 s`, `3 min`, `1 h 20 min`. */
export function formatRoughly(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 55) return `${seconds < 8 ? 5 : Math.round(seconds / 10) * 10} s`;
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 60) return `${minutes} min`;
  const tens = Math.round(minutes / 10);
  return tens % 6 === 0 ? `${formatCount(tens / 6)} h` : `${Math.floor(tens / 6)} h ${(tens % 6) * 10} min`;
}

/** `21:40`, `1:02:09`: the remaining time of a lease. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${two(m)}:${two(s)}`;
}

/** All formats in which the page shows a moment, with the chosen clock. */
const momentsBy = (hourCycle: 'h23' | 'h12') => {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(undefined, { ...options, hourCycle });
  const two = '2-digit';
  return {
    full: format({ dateStyle: 'medium', timeStyle: 'medium' }),
    day: format({ dateStyle: 'medium' }),
    minute: format({ timeStyle: 'short' }),
    dayAndMinute: format({ dateStyle: 'medium', timeStyle: 'short' }),
    shortDayAndMinute: format({ month: 'short', day: 'numeric', hour: two, minute: two }),
    shortDay: format({ month: 'short', day: 'numeric' }),
    clockOfMinutes: format({ hour: two, minute: two }),
    clockOfSeconds: format({ hour: two, minute: two, second: two }),
  };
};
let moments = momentsBy('h23');

export function setClock(hours: '24' | '12'): void {
  moments = momentsBy(hours === '24' ? 'h23' : 'h12');
}

export const formatDateTime = (iso: string): string => moments.full.format(new Date(iso));

/** `08:03`, `08:03:41`: a time of a day that is already known. */
export const formatClock = (at: number, to: 'minutes' | 'seconds'): string =>
  (to === 'minutes' ? moments.clockOfMinutes : moments.clockOfSeconds).format(at);

/** `Nov 18, 08:03` */
export const formatShortMoment = (at: number): string => moments.shortDayAndMinute.format(at);

/** `Nov 18` */
export const formatShortDay = (at: number): string => moments.shortDay.format(at);

/** `8:03`, with its date if that is not today. */
export function formatMoment(iso: string): string {
  const at = new Date(iso);
  const { day, minute, dayAndMinute } = moments;
  return (day.format(at) === day.format(Date.now() + offsetMs) ? minute : dayAndMinute).format(at);
}

/** Replaces the ISO times in a text of the service with local times. */
export const withLocalTimes = (text: string): string =>
  text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, formatMoment);

/** How long ago; the exact instant is in the title attribute. */
export function TimeAgo({ at, suffix = '' }: { at: string | null; suffix?: string }) {
  const now = useNow();
  if (at === null) return <span className="text-fg-3">never</span>;
  return (
    <time dateTime={at} title={formatDateTime(at)} className="whitespace-nowrap">
      {formatAge(Math.max(0, now - Date.parse(at)))}
      {suffix}
    </time>
  );
}
