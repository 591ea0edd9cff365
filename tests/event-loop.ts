import { expect } from 'vitest';

/** `gcMs` of the computing was garbage collection. */
export type Stalls = { elapsedMs: number; busyMs: number; gcMs: number; during: string };

/** What the service itself measured of its event loop since it started. */
export async function stallsOf(url: string): Promise<Stalls> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const read = (name: string) => new RegExp(`^${name}\\{during="(.*)"\\} (\\S+)$`, 'm').exec(text) ?? [];
  const [, , elapsed] = read('signalbox_eventloop_longest_seconds');
  const [, during = '', busy] = read('signalbox_eventloop_longest_busy_seconds');
  const [, , collecting] = read('signalbox_eventloop_longest_busy_gc_seconds');
  return { elapsedMs: Number(elapsed) * 1000, busyMs: Number(busy) * 1000, gcMs: Number(collecting) * 1000, during };
}

/**
 * Fails with the requests that were under way when the service computed for longer at a stretch. Time in which the
 * machine ran something else is not the service's, so that the bound holds on a busy machine too.
 */
export async function expectNeverStill(url: string, mostMs = 100): Promise<void> {
  const { elapsedMs, busyMs, gcMs, during } = await stallsOf(url);
  const share = `${Math.round(elapsedMs)} by the clock, ${Math.round(gcMs)} of it collecting garbage`;
  const says = `stood still for ${Math.round(busyMs)} ms (${share}) during ${during}`;
  expect(busyMs, says).toBeLessThan(mostMs);
}
