import { attachedBytes } from './attachment-quota.ts';
import type { EventOf } from './events.ts';
import { internText, scenarioOf } from './fold-attempts.ts';
import type { Attempt, PrintedLines, Run, Scenario } from './run.ts';
import type { AttachmentEntry } from './scenario-parts.ts';

type Starting = EventOf<'scenario_started'> | EventOf<'scenario_finished'>;

/** Where a test is written, and what it belongs to; later events never erase it. */
export function foldWritten(run: Run, scenario: Scenario, event: Starting): void {
  const { file, line, column, project, path, order, tags } = event;
  if (file == null && project == null && path == null) return;
  const before = scenario.written;
  scenario.written = {
    file: before?.file ?? (file == null ? null : internText(run, file)),
    line: before?.line ?? line ?? null,
    column: before?.column ?? column ?? null,
    project: before?.project ?? (project == null ? null : internText(run, project)),
    path: before?.path ?? path ?? null,
    order: before?.order ?? order ?? null,
    tags: before && before.tags.length > 0 ? before.tags : (tags ?? []),
  };
}

/** What a verdict says besides the outcome. */
export function foldVerdictDetails(attempt: Attempt, event: EventOf<'scenario_finished'>): void {
  attempt.errors = event.errors && event.errors.length > 0 ? event.errors : null;
  attempt.skipReason = event.skipReason ?? null;
  attempt.todo = event.todo ?? false;
  attempt.rerun = event.rerun ?? null;
  attempt.output = printedLines(event);
  // Some runners report the real start of a test only at its end.
  if (event.startedAt) attempt.startedAt = event.startedAt;
}

function printedLines({ stdout, stderr, stdoutMs, stderrMs }: EventOf<'scenario_finished'>): PrintedLines | null {
  if (!stdout && !stderr) return null;
  return {
    stdout: stdout ?? [],
    stderr: stderr ?? [],
    stdoutMs: timesOf(stdout, stdoutMs),
    stderrMs: timesOf(stderr, stderrMs),
  };
}

/** One time per line, or none: times that do not match the number of lines are dropped. */
const timesOf = (lines: readonly string[] | null | undefined, times: readonly number[] | null | undefined) =>
  times && times.length === (lines ?? []).length ? times : [];

/** More are in the archive than anyone looks at. */
const attachmentsAtMost = 100;

export function attach(run: Run, event: EventOf<'attachment'>): void {
  const scenario = scenarioOf(run, event.uid);
  const entry: AttachmentEntry = {
    attempt: event.attempt ?? 1,
    name: event.name ?? 'attachment',
    mediaType: event.mediaType ?? 'application/octet-stream',
    size: event.size ?? 0,
    sha256: event.sha256 ?? '',
    stored: event.data != null && /^[0-9a-f]{64}$/.test(event.sha256 ?? ''),
    reason: event.reason ?? null,
  };
  const known = scenario.attachments ?? [];
  const isSame = (one: AttachmentEntry) =>
    one.attempt === entry.attempt && one.name === entry.name && one.sha256 === entry.sha256;
  if (known.length >= attachmentsAtMost || known.some(isSame)) return;
  scenario.attachments = [...known, entry];
  if (event.data != null) run.attachmentBytes += attachedBytes(event.data);
}
