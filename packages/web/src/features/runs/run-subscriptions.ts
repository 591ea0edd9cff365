/** A batch of events of one run; `again` means that some may be missing. */
export type RunNews = readonly unknown[] | 'again';

const listeners = new Map<string, Set<(news: RunNews) => void>>();

export function subscribeToRun(runId: string, listener: (news: RunNews) => void): () => void {
  const ofRun = listeners.get(runId) ?? new Set();
  listeners.set(runId, ofRun.add(listener));
  return () => {
    ofRun.delete(listener);
    if (ofRun.size === 0) listeners.delete(runId);
  };
}

export function notifyRun(runId: string, news: RunNews): void {
  for (const listener of listeners.get(runId) ?? []) listener(news);
}

export function notifyAllRuns(news: RunNews): void {
  for (const runId of listeners.keys()) notifyRun(runId, news);
}
