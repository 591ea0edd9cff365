/** A program with its arguments, started without a shell. */
export type CommandLine = { program: string; args: readonly string[] };
