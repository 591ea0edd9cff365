const { emitWarning } = process;

/** Node 22 warns that its SQLite is experimental. Users need not see that. */
process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
  if (String(warning).includes('SQLite')) return;
  Reflect.apply(emitWarning, process, [warning, ...rest]);
}) as typeof process.emitWarning;
