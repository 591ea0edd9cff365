import type { FailureView, StackLine } from 'signalbox/browser/failure';
import { countWithNoun } from '../../../ui/format-count.ts';
import { DiffView } from './diff-view.tsx';
import { PlaceLink } from './place-link.tsx';

type Props = {
  failure: FailureView;
  root: string;
  number: number | null;
  /** Leaves out the stack, the traceback and the causes. */
  brief: boolean;
};

/** One failure: what failed, where, the compared values, and a link to the place. */
export function FailureBlock({ failure, root, number, brief }: Props) {
  const { name, message, place, compared, frame, stack, trace, causes, step } = failure;
  const thrown = stack.findIndex((line) => isAt(line, place));
  return (
    <section aria-label={number === null ? 'Failure' : `Failure ${number}`} className="flex flex-col gap-2">
      <div className="tone-fail tint flex flex-col gap-1 rounded-md border px-3 py-2">
        {(number !== null || name || step) && (
          <p className="flex flex-wrap items-baseline gap-x-2 text-xs">
            {number !== null && <b className="text-tone-text">{number}</b>}
            {name && <b className="font-semibold text-tone-text">{name}</b>}
            {step && <span className="text-fg-2">in the step “{step}”</span>}
          </p>
        )}
        <Message text={message} />
      </div>
      {compared && <DiffView {...compared} />}
      {(place || frame) && (
        <figure className="overflow-hidden rounded-md border border-line bg-bg">
          {place && (
            <figcaption className="flex items-center gap-2 border-line border-b bg-raised px-3">
              <PlaceLink root={root} place={place} icon />
              <Called line={stack[thrown]} />
            </figcaption>
          )}
          {frame && <CodeFrame frame={frame} />}
        </figure>
      )}
      {!brief && (
        <>
          <Stack lines={thrown < 0 ? stack : stack.toSpliced(thrown, 1)} root={root} />
          {trace && <Traceback text={trace} />}
          {causes.map((cause, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a cause is known by its place
            <Cause key={index} text={cause} root={root} />
          ))}
        </>
      )}
    </section>
  );
}

const longMessage = 12;

/** A comparison inside the message of a runner keeps its plus and minus signs, in colour. */
function Message({ text }: { text: string }) {
  const lines = text.split('\n');
  const hasDiff = /^[ \t]*- (?:Expected|Snapshot)/m.test(text);
  return (
    <pre
      tabIndex={lines.length > longMessage ? 0 : undefined}
      className="max-h-[320px] overflow-auto whitespace-pre-wrap break-words font-mono text-code text-fg"
    >
      {hasDiff
        ? lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place
            <span key={index} className={`block min-h-[1.4em] ${toneOf(line)}`}>
              {line}
            </span>
          ))
        : text}
    </pre>
  );
}

const toneOf = (line: string): string => {
  if (/^\s*-( |$)/.test(line)) return 'tone-done text-tone-text';
  return /^\s*\+( |$)/.test(line) ? 'tone-fail text-tone-text' : '';
};

function CodeFrame({ frame: { start, line: failing, lines } }: { frame: NonNullable<FailureView['frame']> }) {
  return (
    <div tabIndex={0} role="group" aria-label="Code" className="overflow-x-auto py-1">
      <div className="w-fit min-w-full">
        {lines.map((text, index) => {
          const number = start + index;
          const isFailing = number === failing;
          return (
            <pre
              key={number}
              className={`flex font-mono text-code leading-5 ${isFailing ? 'tone-fail diff-row' : 'text-fg-2'}`}
            >
              <span className="w-4 shrink-0 select-none text-center text-tone-text" aria-hidden>
                {isFailing ? '›' : ''}
              </span>
              <span className="w-10 shrink-0 select-none pr-3 text-right text-fg-3" aria-hidden>
                {number}
              </span>
              {isFailing && <span className="sr-only">failing line {number}: </span>}
              <span className="pr-3">{text}</span>
            </pre>
          );
        })}
      </div>
    </div>
  );
}

type StackGroup = { own: boolean; lines: StackLine[] };

/** Frames of the project are shown, others are folded; the place shown above is omitted. */
function Stack({ lines, root }: { lines: readonly StackLine[]; root: string }) {
  const groups: StackGroup[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last && last.own === line.own) last.lines.push(line);
    else groups.push({ own: line.own, lines: [line] });
  }
  if (lines.length === 0) return null;
  return (
    <ol aria-label="Stack" className="flex flex-col font-mono text-code">
      {groups.map(({ own: isOwn, lines: group }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a group is known by its place
        <li key={index} className="min-w-0">
          {isOwn ? (
            group.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a frame is known by its place
              <Frame key={at} line={line} root={root} />
            ))
          ) : (
            <details className="text-fg-3">
              <summary className="flex min-h-6 w-fit cursor-pointer items-center rounded font-sans text-sm">
                {countWithNoun(group.length, 'library frame')}
              </summary>
              {group.map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a frame is known by its place
                <p key={at} className="break-all pl-4">
                  {line.text.trim()}
                </p>
              ))}
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}

const isAt = ({ place }: StackLine, at: FailureView['place']): boolean =>
  at !== null && place?.line === at.line && (place.file === at.file || place.file.endsWith(`/${at.file}`));

/** The function that a frame is in. */
function Called({ line }: { line: StackLine | undefined }) {
  const [, called] = /^\s*at (?:async )?([^(]+) \(/.exec(line?.text ?? '') ?? [];
  return called ? (
    <span className="max-w-[45%] shrink-0 truncate font-mono text-code text-fg-3">in {called.trim()}</span>
  ) : null;
}

function Frame({ line, root }: { line: StackLine; root: string }) {
  const { text, place } = line;
  return (
    <span className="flex min-h-6 min-w-0 items-center gap-2 max-sm:flex-wrap">
      {place ? <PlaceLink root={root} place={place} /> : text.trim()}
      <Called line={line} />
    </span>
  );
}

/** A traceback as pytest writes it; the error and the line that raised it are highlighted. */
function Traceback({ text }: { text: string }) {
  return (
    <pre
      tabIndex={0}
      role="group"
      aria-label="Traceback"
      className="max-h-[420px] overflow-auto rounded-md border border-line bg-bg py-1 font-mono text-code leading-5"
    >
      {text.split('\n').map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place
        <span key={index} className={`block min-h-5 w-fit min-w-full px-3 ${traceTone(line)}`}>
          {line}
        </span>
      ))}
    </pre>
  );
}

function traceTone(line: string): string {
  if (/^E( |$)/.test(line)) return 'tone-fail text-tone-text';
  if (line.startsWith('>')) return 'tone-fail diff-row font-medium';
  return /^[\w./\\-]+:\d+: /.test(line) ? 'text-fg' : 'text-fg-2';
}

function Cause({ text, root }: { text: string; root: string }) {
  const [headline = '', ...frames] = text.split('\n');
  return (
    <div className="border-line-strong border-l-2 pl-3">
      <p className="break-words text-fg-2">
        <b className="font-semibold text-fg">Caused by</b> {headline}
      </p>
      {frames.map((line, index) => {
        const [, called, file, at, column] = /^\s*at (?:(.+) \()?([^()]+?):(\d+)(?::(\d+))?\)?$/.exec(line) ?? [];
        const place = file && at ? { file, line: Number(at), column: column ? Number(column) : null } : null;
        // biome-ignore lint/suspicious/noArrayIndexKey: a frame is known by its place
        if (!place) return <p key={index}>{line}</p>;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a frame is known by its place
          <span key={index} className="flex min-w-0 items-center gap-2 font-mono text-code text-fg-3">
            {called} <PlaceLink root={root} place={place} />
          </span>
        );
      })}
    </div>
  );
}
