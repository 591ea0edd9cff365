import { guarded } from './guard.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type EndingSignal = (typeof signals)[number];

/** All runs of this process share one listener: with thirty listeners Node would warn of a leak. */
const leaving = new Set<() => void>();
const watching = new Set<{ note: (signal: EndingSignal) => void; leave: () => void }>();

const onExit = () => {
  for (const leave of [...leaving]) guarded(leave, undefined);
};

/** Calls `leave` when the process exits. Returns a function that unregisters it. */
export function watchExit(leave: () => void): () => void {
  // Registered first, because some runners exit from within their own listener.
  if (leaving.size === 0) process.prependListener('exit', onExit);
  leaving.add(leave);
  return () => {
    if (leaving.delete(leave) && leaving.size === 0) process.removeListener('exit', onExit);
  };
}

const listeners = signals.map((signal) => ({
  signal,
  listener() {
    for (const { note } of [...watching]) guarded(() => note(signal), undefined);
    if (process.listenerCount(signal) > 1) return;
    for (const { leave } of [...watching]) guarded(leave, undefined);
    stopListening();
    process.kill(process.pid, signal);
  },
}));

function stopListening(): void {
  for (const { signal, listener } of listeners) process.removeListener(signal, listener);
}

/**
 * Records a signal that will end the run. A listener disables Node's default action, so if there is no other
 * listener the same signal is sent again after `leave`.
 */
export function watchSignals(note: (signal: EndingSignal) => void, leave: () => void): () => void {
  const watcher = { note, leave };
  if (watching.size === 0) {
    for (const { signal, listener } of listeners)
      guarded(() => void process.prependListener(signal, listener), undefined);
  }
  watching.add(watcher);
  return () => {
    if (watching.delete(watcher) && watching.size === 0) stopListening();
  };
}
