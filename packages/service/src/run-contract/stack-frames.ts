/** A place in a source file. */
export type SourcePlace = { file: string; line: number; column: number | null };

/** One line of a stack, with the place that it names. */
export type StackLine = {
  text: string;
  place: SourcePlace | null;
  /** False for the runner, for libraries and for the runtime. */
  own: boolean;
};

const frames = [
  /\((\/?[^()\s][^()]*?):(\d+)(?::(\d+))?\)/,
  /\bat (?:async )?((?:file:\/\/)?\/?[^\s():]+):(\d+)(?::(\d+))?/,
  /File "([^"]+)", line (\d+)/,
];
const foreign = /node_modules|\bnode:|\/site-packages\/|\/dist-packages\/|^\s*at <anonymous>|\/lib\/python\d/;
/** Longer lines are not frames, and a trace is read only up to this length. */
const longestLine = 2_000;
const mostLines = 500;

/** The lines of a stack. */
export const stackLines = (stack: string): StackLine[] =>
  stack
    .split('\n', mostLines)
    .filter((text) => text.trim() !== '')
    .map((text) => {
      const place = text.length > longestLine ? null : (frameIn(text) ?? null);
      return { text: text.trimEnd(), place, own: place !== null && !foreign.test(text) };
    });

/** The first place of a trace that is in the project's own code. */
export const firstOwnPlace = (trace: string): SourcePlace | null =>
  stackLines(trace).find(({ own }) => own)?.place ?? null;

function frameIn(text: string): SourcePlace | undefined {
  for (const frame of frames) {
    const [, path, line, column] = frame.exec(text) ?? [];
    if (path && line)
      return { file: path.replace(/^file:\/\//, ''), line: Number(line), column: column ? Number(column) : null };
  }
  return dotNetFrame(text) ?? bareFrame(text);
}

/** `at Cart.Total() in /src/Cart.cs:line 7` */
function dotNetFrame(text: string): SourcePlace | undefined {
  const start = text.search(/ in \S/);
  if (start < 0) return undefined;
  const rest = text.slice(start + ' in '.length);
  const [found, number] = /:line (\d+)/.exec(rest) ?? [];
  return found === undefined
    ? undefined
    : { file: rest.slice(0, rest.indexOf(found)), line: Number(number), column: null };
}

/** `src/cart.test.ts:7` at the start of a line. */
function bareFrame(text: string): SourcePlace | undefined {
  const [, file = '', line, column] = /^([\w./\\-]+):(\d+)(?::(\d+))?/.exec(text.trimStart()) ?? [];
  return /\.\w+$/.test(file) ? { file, line: Number(line), column: column ? Number(column) : null } : undefined;
}
