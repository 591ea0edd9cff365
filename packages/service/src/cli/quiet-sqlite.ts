const { emitWarning } = process;

/** Hides the warning of Node 22 that its SQLite is experimental. */
process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
  if (String(warning).includes('SQLite')) return;
  Reflect.apply(emitWarning, process, [warning, ...rest]);
}) as typeof process.emitWarning;
