import { type ComponentType, lazy } from 'react';

const retryDelaysMs = [250, 1_000, 3_000];

/** A component that is loaded when it is first shown. Loading is retried, so a restart of the service does not break it. */
export const lazyComponent = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await loadWithRetries(load) }));

async function loadWithRetries<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (const waitMs of retryDelaysMs) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  return await load();
}
