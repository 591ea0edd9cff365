let last: Promise<void> = Promise.resolve();

/**
 * Resolves when a program may be started: one in each turn of the event loop. A start copies the page tables of this
 * process, some 5 ms for each 100 MB that it holds, and nobody is answered meanwhile.
 */
export function turnToStart(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}
