import { channel } from 'node:diagnostics_channel';
import { renameSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';

// Loaded into the service before its own code (`--import`): measures the longest stretch in which its main thread computed
// without answering anybody, and writes each new record to the file of LOOP_WATCH with the requests that were under way.
const file = process.env.LOOP_WATCH;
const everyMs = 20;
const mostNames = 5;

function watch(path: string): void {
  const underWay = new Set<string>();
  let ended: string[] = [];
  // Loading the program blocks nobody.
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
  let longestMs = 0;
  let before = { at: performance.now(), cpu: cpuMs() };
  setInterval(() => {
    const now = { at: performance.now(), cpu: cpuMs() };
    const elapsedMs = now.at - before.at;
    const busyMs = Math.min(elapsedMs, now.cpu - before.cpu);
    if (isServing && elapsedMs > everyMs && busyMs > longestMs) {
      longestMs = busyMs;
      const during = [...new Set([...ended, ...underWay])].slice(0, mostNames).join(', ');
      writeFileSync(`${path}.next`, JSON.stringify({ busyMs, elapsedMs, during }));
      // Who reads it meanwhile finds the last one, never half of this one.
      renameSync(`${path}.next`, path);
    }
    ended = [];
    before = now;
  }, everyMs).unref();
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

if (file) {
  // Programs that the service starts are not watched.
  delete process.env.LOOP_WATCH;
  watch(file);
}
