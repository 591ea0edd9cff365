type Close = () => void | Promise<void>;

/** Closes what was opened, once, in reverse order. */
export type Closing = { push(close: Close): void; stop(): Promise<void> };

export function createClosing(): Closing {
  const opened: Close[] = [];
  return {
    push: (close) => void opened.push(close),
    async stop() {
      for (const close of opened.splice(0).reverse()) await close();
    },
  };
}
