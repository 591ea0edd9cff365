import { guarded } from './guard.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type EndingSignal = (typeof signals)[number];

/**
 * Notes a signal that is to end the run. A listener takes Node's own answer to a signal away, so where nobody else
 * listens the process is ended by the same signal all the same, after `leave`.
 */
export function watchSignals(note: (signal: EndingSignal) => void, leave: () => void): () => void {
  const listeners = signals.map((signal) => {
    const listener = () => {
      guarded(() => note(signal), undefined);
      if (process.listenerCount(signal) > 1) return;
      guarded(leave, undefined);
      process.removeListener(signal, listener);
      process.kill(process.pid, signal);
    };
    return guarded(
      () => {
        // First in line: there are runners that leave from within their own listener.
        process.prependListener(signal, listener);
        return () => void process.removeListener(signal, listener);
      },
      () => undefined,
    );
  });
  return () => {
    for (const stop of listeners) stop();
  };
}
