type Close = () => void | Promise<void>;

/** What was opened, to be closed again in the reverse order, once. */
export function createClosing(): { push(close: Close): void; stop(): Promise<void> } {
  const opened: Close[] = [];
  return {
    push: (close) => void opened.push(close),
    async stop() {
      for (const close of opened.splice(0).reverse()) await close();
    },
  };
}
