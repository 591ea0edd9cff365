type Process = {
  pid: number;
  once(signal: string, hear: () => void): void;
  off(signal: string, hear: () => void): void;
  listenerCount(signal: string): number;
  kill(pid: number, signal: string): void;
};

const names = ['SIGTERM', 'SIGINT'];
const stops = new Set<() => Promise<unknown>>();

/**
 * Stops in order when the process is told to end, and lets it end by that signal afterwards, unless somebody else listens
 * for it too. Does nothing where there are no signals. Returns how to forget it.
 */
export function onSignals(stop: () => Promise<unknown>, close: () => void): () => void {
  const { process } = globalThis as { process?: Process };
  if (typeof process?.once !== 'function') return () => undefined;
  const hearings = names.map((name) => {
    const hear = () => {
      forget();
      const end = () => {
        close();
        stops.delete(stop);
        if (stops.size === 0 && process.listenerCount(name) === 0) process.kill(process.pid, name);
      };
      stop().then(end, end);
    };
    process.once(name, hear);
    return { name, hear };
  });
  stops.add(stop);
  const forget = () => {
    for (const { name, hear } of hearings) process.off(name, hear);
  };
  return () => {
    forget();
    stops.delete(stop);
  };
}
