type Process = {
  pid: number;
  on(signal: string, hear: () => void): void;
  off(signal: string, hear: () => void): void;
  listenerCount(signal: string): number;
  kill(pid: number, signal: string): void;
};

type Stoppable = { stop: () => Promise<unknown>; close: () => void };

/** All workers of this process, of any connection, share one listener. */
const running = new Set<Stoppable>();
const hearings = ['SIGTERM', 'SIGINT'].map((name) => ({ name, hear: () => void stopAll(name) }));

const nodeProcess = (): Process | undefined => {
  const { process } = globalThis as { process?: Process };
  return typeof process?.on === 'function' ? process : undefined;
};

function hearNothing(): void {
  for (const { name, hear } of hearings) nodeProcess()?.off(name, hear);
}

/** A second signal has no listener and ends the process immediately. */
async function stopAll(name: string): Promise<void> {
  hearNothing();
  const all = [...running];
  await Promise.allSettled(all.map(({ stop }) => stop()));
  for (const { close } of all) close();
  const process = nodeProcess();
  if (process?.listenerCount(name) === 0) process.kill(process.pid, name);
}

/**
 * Stops gracefully when the process receives a termination signal, which then ends it unless there is another listener. Does nothing on platforms without signals. Returns a function that unregisters it.
 */
export function onSignals(stop: () => Promise<unknown>, close: () => void): () => void {
  const worker = { stop, close };
  if (running.size === 0) for (const { name, hear } of hearings) nodeProcess()?.on(name, hear);
  running.add(worker);
  return () => {
    if (running.delete(worker) && running.size === 0) hearNothing();
  };
}
