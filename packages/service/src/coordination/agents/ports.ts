import type { Tokens } from '../../kernel/claim-view.ts';
import type { Refusal } from '../../kernel/outcome.ts';
import type { Board, SessionDetail, SourceStatus, UnsavedWork } from './contract.ts';
import type { HookAnswer } from './hook-answers.ts';
import type { Turn } from './turn.ts';

export type RegistryStatus = 'busy' | 'idle' | 'waiting' | 'shell';

/**
 * The answer of the process table for a pid in a registry. An unreadable start time counts as a match; the format of
 * another system is `foreign`.
 */
export type Liveness = 'live' | 'dead' | 'reused' | 'foreign';

/** A tool's own record of one running process. Times are milliseconds since 1970. */
export type RegistryEntry = {
  pid: number;
  sessionId: string;
  liveness: Liveness;
  status: RegistryStatus | null;
  waitingFor: string | null;
  cwd: string | null;
  entrypoint: string | null;
  name: string | null;
  startedAt: number | null;
  updatedAt: number | null;
  statusUpdatedAt: number | null;
  /** Sessions that the same process was seen serving before this one. */
  formerIds: readonly string[];
};

/** Usage counted by the tool. Null if it does not report it, or the file was not read far enough. */
export type SessionUsage = {
  model: string | null;
  /** `input` does not include cached input, which is `cached`. */
  tokens: Tokens | null;
  turns: number | null;
  contextPercent: number | null;
};

export const noUsage: SessionUsage = { model: null, tokens: null, turns: null, contextPercent: null };

/** Facts from the head and tail of a transcript. None of its text is kept. */
export type Transcript = {
  sessionId: string;
  /** Its folder; sessions launched in the same place share it. */
  folder: string;
  firstAt: number | null;
  lastAt: number | null;
  launchCwd: string | null;
  cwd: string | null;
  branch: string | null;
  entrypoint: string | null;
  /** Whether it begins with the command that ended the conversation before it. */
  afterClear: boolean;
  /** Whether it is a subagent: another session of the same tool started it. */
  subagent: boolean;
  turn: Turn;
  usage: SessionUsage;
};

/** A file that has not been read: only its name and age are known. */
export const unreadTranscript = (
  turn: Turn,
  lastAt: number | null = null,
): Omit<Transcript, 'sessionId' | 'folder'> => ({
  firstAt: null,
  lastAt,
  launchCwd: null,
  cwd: null,
  branch: null,
  entrypoint: null,
  afterClear: false,
  subagent: false,
  turn,
  usage: noUsage,
});

/** A running process of the tool, where no registry names its session. */
export type ToolProcess = { pid: number; cwd: string; startedAt: number | null };

export type SessionScan = SourceStatus & {
  /** Monotonic time at which the processes were last checked; a scan in between repeats the last result. */
  processesCheckedAt: number;
  /** `clean`: absence from the registry means something. `degraded`: it does not. `unused`: this tool keeps none. */
  registry: 'clean' | 'degraded' | 'unused';
  entries: readonly RegistryEntry[];
  /** The transcripts by session id. A transcript that did not change is the same object as in the previous scan. */
  transcripts: ReadonlyMap<string, Transcript>;
  /** Sessions with a transcript that appeared, changed or disappeared since the last scan; all of them in the first. */
  changed: ReadonlySet<string>;
  /** Looked up only if the tool keeps no registry. */
  processes: readonly ToolProcess[];
  /** Processes found by an earlier scan that no longer run; no second scan is needed to confirm this. */
  ended: ReadonlySet<number>;
};

/**
 * How much a poll reads. `due`: changed files and those whose check is due. `processes`: the processes too. `all`:
 * every folder too.
 */
export type PollScope = 'due' | 'processes' | 'all';

/** One directory of one agent tool, accessed read-only. */
export type SessionReader = {
  readonly tool: string;
  /** The source that it reads, and whether it was readable at the last poll. */
  sources(): readonly SourceStatus[];
  /** Reads again, at a cost proportional to the changes. Never throws: what cannot be read is reported in the scan. */
  poll(scope?: PollScope): Promise<SessionScan>;
  /** Calls back soon after a change. A hint only: polling must find everything without it. */
  onChange(wake: () => void): () => void;
  /** The sessions that these subagents serve, by subagent id, if known. */
  parentsOf?(agentIds: ReadonlySet<string>): Promise<ReadonlyMap<string, string>>;
  /** The session whose records hold a tool call of this id, its subagents' records included. */
  sessionOfToolCall?(toolCallId: string): Promise<string | null>;
};

/** The git working tree of a directory. `root` is null outside of any working tree. */
export type GitLocation = {
  root: string | null;
  mainRoot: string | null;
  repository: string | null;
  branch: string | null;
  worktree: boolean;
  onDisk: boolean;
};

/** A worktree that an agent's tool made, under `<mainRoot>/.claude/worktrees` or in the home of a tool. */
export type WorktreeOnDisk = GitLocation & { root: string; lockedByLiveProcess: boolean };

export type TreeProbe = {
  /** `branch` is the one the tool recorded, used if the directory no longer exists. */
  locate(cwd: string, branch: string | null): Promise<GitLocation>;
  /** The worktrees of a repository, or of one of `worktreeHomes`. */
  worktreesOf(mainRoot: string): Promise<readonly WorktreeOnDisk[]>;
  /** Homes of tools that keep the worktrees of all repositories in one folder. */
  readonly worktreeHomes?: readonly string[];
  /** Directories of sessions that may not be read. */
  sources?(): readonly SourceStatus[];
};

/** Reads the uncommitted and unpushed work of a working tree; null if git fails. */
export type UnsavedReader = (root: string) => Promise<UnsavedWork | null>;

/** The board as the commands read it: observed sessions and trees, joined with claims and runs. */
export type AgentBoard = {
  /** `since` is a duration back from now or an instant; live sessions and those with a claim always stay. */
  all(since?: string): Board;
  one(sessionId: string): SessionDetail | undefined | Promise<SessionDetail | undefined>;
  /** Works only for trees that are on the board, and only on the host they are on. */
  unsaved(root: string): Promise<UnsavedWork | Refusal>;
  /** Handles a hook payload of an agent tool; never waits, never fails. `from`: its host, where the caller has a token. */
  receiveHook(payload: unknown, attended: boolean, from: string | null): HookAnswer;
};
