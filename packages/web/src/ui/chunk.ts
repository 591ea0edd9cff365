import { type ComponentType, lazy } from 'react';

const waitsMs = [250, 1_000, 3_000];

/** A part of the page that is loaded when it is first shown; a moment without the service does not lose it. */
export const chunk = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await patient(load) }));

async function patient<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (const waitMs of waitsMs) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  return await load();
}
