import { channel } from 'node:diagnostics_channel';
import { renameSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { PerformanceObserver } from 'node:perf_hooks';

// Loaded into the service before its own code (`--import`). Measures the longest time in which its main thread computed
// without answering anybody. Writes each new record to the file LOOP_WATCH, with the requests in progress, the share of
// garbage collection and the share of system time.
const file = process.env.LOOP_WATCH;
const everyMs = 20;
const mostNames = 5;

function watch(path: string): void {
  const underWay = new Set<string>();
  let ended: string[] = [];
  // Loading the program does not count.
  let isServing = false;
  const nameOf = ({ method, url = '' }: IncomingMessage) => `${method} ${url.slice(0, 80)}`;
  channel('http.server.request.start').subscribe((message) => {
    isServing = true;
    underWay.add(nameOf((message as { request: IncomingMessage }).request));
  });
  channel('http.server.response.finish').subscribe((message) => {
    const name = nameOf((message as { request: IncomingMessage }).request);
    if (underWay.delete(name) && ended.length < mostNames) ended.push(name);
  });
  const collected = garbageCollections();
  let longestMs = 0;
  let before = cpuNow();
  setInterval(() => {
    const now = cpuNow();
    const elapsedMs = now.at - before.at;
    const busyMs = Math.min(elapsedMs, now.cpuMs - before.cpuMs);
    if (isServing && elapsedMs > everyMs && busyMs > longestMs) {
      longestMs = busyMs;
      const during = [...new Set([...ended, ...underWay])].slice(0, mostNames).join(', ');
      const record = { busyMs, elapsedMs, systemMs: now.systemMs - before.systemMs, during };
      const { at } = before;
      const write = () => writeWhole(path, JSON.stringify({ ...record, collectedMs: collected(at, now.at) }));
      write();
      // Node reports a collection some turns later.
      setTimeout(() => longestMs === busyMs && write(), everyMs).unref();
    }
    ended = [];
    before = now;
  }, everyMs).unref();
}

/** A reader finds the previous record or this one, never half of this one. */
function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.next`, text);
  renameSync(`${path}.next`, path);
}

/** How long garbage was collected on the main thread between two recent moments. */
function garbageCollections(): (from: number, until: number) => number {
  const keptMs = 5_000;
  let recent: Array<{ startTime: number; duration: number }> = [];
  new PerformanceObserver((list) => {
    const oldest = performance.now() - keptMs;
    recent = [...recent, ...list.getEntries()].filter(({ startTime, duration }) => startTime + duration > oldest);
  }).observe({ entryTypes: ['gc'] });
  return (from, until) =>
    recent.reduce((sum, { startTime, duration }) => {
      const shared = Math.min(until, startTime + duration) - Math.max(from, startTime);
      return sum + Math.max(0, shared);
    }, 0);
}

function cpuNow(): { at: number; cpuMs: number; systemMs: number } {
  const { user, system } = process.threadCpuUsage();
  return { at: performance.now(), cpuMs: (user + system) / 1000, systemMs: system / 1000 };
}

if (file) {
  // Programs that the service starts are not watched.
  delete process.env.LOOP_WATCH;
  watch(file);
}
