const { emitWarning } = process;

/** Node 22 warns that its SQLite is experimental. We know; whoever starts us should not have to. */
process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
  if (String(warning).includes('SQLite')) return;
  Reflect.apply(emitWarning, process, [warning, ...rest]);
}) as typeof process.emitWarning;
