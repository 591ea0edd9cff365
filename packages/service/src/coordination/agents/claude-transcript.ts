import type { Transcript } from './ports.ts';
import { asObject, closedBy, noTurn, type TranscriptRecord, type Turn, turnSignalOf } from './turn.ts';

type TranscriptContext = Pick<Transcript, 'cwd' | 'branch' | 'entrypoint'>;

/** What the end of a transcript tells, fed with its records from the newest backwards. */
export type TailReader = {
  /** True once nothing older can change the answer. */
  accept(record: TranscriptRecord): boolean;
  result(): TranscriptContext & Pick<Transcript, 'lastAt' | 'turn'> & { sawRecords: boolean };
};

/** `earlier` is where the turn stood before the records that are fed. */
export function claudeTailReader(earlier: Turn = noTurn): TailReader {
  let lastAt: number | null = null;
  let cwd: string | null = null;
  let branch: string | null = null;
  let entrypoint: string | null = null;
  let turn: Turn | null = null;
  let ended = false;
  let sawRecords = false;
  return {
    accept(record) {
      sawRecords ||= typeof record.type === 'string';
      lastAt ??= timeOf(record);
      if (record.isSidechain !== true) {
        cwd ??= worktreeOf(record) ?? textOf(record.cwd);
        branch ??= textOf(record.gitBranch);
        entrypoint ??= textOf(record.entrypoint);
      }
      if (!turn) {
        const signal = turnSignalOf(record);
        if (signal === 'below') ended = true;
        else if (signal !== 'skip') turn = ended ? closedBy(signal) : signal;
      }
      return turn !== null && cwd !== null && lastAt !== null;
    },
    result: () => ({
      lastAt,
      cwd,
      branch,
      entrypoint,
      turn: turn ?? (ended ? closedBy(earlier) : earlier),
      sawRecords,
    }),
  };
}

/** What the beginning tells, fed with its records from the first on. */
export type HeadReader = {
  accept(record: TranscriptRecord): boolean;
  result(): Pick<Transcript, 'firstAt' | 'launchCwd' | 'branch' | 'entrypoint' | 'afterClear' | 'subagent'>;
};

export function claudeHeadReader(): HeadReader {
  let firstAt: number | null = null;
  let launchCwd: string | null = null;
  let branch: string | null = null;
  let entrypoint: string | null = null;
  let afterClear = false;
  return {
    accept(record) {
      firstAt ??= timeOf(record);
      launchCwd ??= textOf(record.cwd);
      branch ??= textOf(record.gitBranch);
      entrypoint ??= textOf(record.entrypoint);
      afterClear ||= isClear(record);
      // The command that cleared comes before the first prompt, or not at all.
      return firstAt !== null && launchCwd !== null && turnSignalOf(record) !== 'skip';
    },
    // Its subagents write beside it, never into a transcript of their own.
    result: () => ({ firstAt, launchCwd, branch, entrypoint, afterClear, subagent: false }),
  };
}

function isClear(record: TranscriptRecord): boolean {
  const content = asObject(record.message)?.content;
  return record.type === 'user' && typeof content === 'string' && content.includes('<command-name>/clear<');
}

function timeOf(record: TranscriptRecord): number | null {
  const at = typeof record.timestamp === 'string' ? Date.parse(record.timestamp) : Number.NaN;
  return Number.isFinite(at) ? at : null;
}

const worktreeOf = (record: TranscriptRecord): string | null =>
  record.type === 'worktree-state' ? textOf(asObject(record.worktreeSession)?.worktreePath) : null;

/** Paths and branch names; longer than any of them is something else. */
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= 4096 ? value : null;
