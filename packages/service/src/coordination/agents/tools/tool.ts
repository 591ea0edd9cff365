import type { Transcript } from '../ports.ts';
import type { TranscriptRecord, Turn } from '../turn.ts';
import type { UsageFormat } from '../usage-count.ts';

/** The facts from the end of a transcript, read from the newest record backwards. */
export type TailReader = {
  /** True once nothing older can change the answer. */
  accept(record: TranscriptRecord): boolean;
  result(): Pick<Transcript, 'cwd' | 'branch' | 'entrypoint' | 'lastAt' | 'turn'> & { sawRecords: boolean };
};

/** The facts from the beginning of a transcript, read from the first record on. */
export type HeadReader = {
  accept(record: TranscriptRecord): boolean;
  result(): Pick<Transcript, 'firstAt' | 'launchCwd' | 'branch' | 'entrypoint' | 'afterClear' | 'subagent'>;
};

/** How the lines of a transcript are read. `earlier` is the turn before the records that are read. */
export type TranscriptFormat = { head: () => HeadReader; tail: (earlier?: Turn) => TailReader; usage: UsageFormat };

/**
 * The folder with a program's files: `folder` below the path in the variable, or below `fallback` if the variable is
 * unset.
 */
type Home = { variable: string; fallback: string; folder?: string };

/** JSON documents in a folder below the home, one for each session; the first group of `name` is its id. */
type Documents = {
  folder: string;
  name: RegExp;
  /** Null if the document is not a session. */
  read(document: TranscriptRecord): Omit<Transcript, 'sessionId' | 'folder'> | null;
};

/** Processes by their name; `program` matches one of their first arguments. */
type NamedProcess = { name: string; program: RegExp };

/** The address of the MCP server names the client where the file belongs to it alone; `work` offers only the work loop. */
type McpAddress = { client?: string; tools?: 'work' };

/** The file of a project in which the program looks for MCP servers. */
export type McpFile = {
  path: string;
  /** Read instead of `path` if only this one exists. */
  orPath?: string;
  /** A file of another tool that the program reads too; if that file exists, the program needs no file of its own. */
  alsoReads?: string;
  address: McpAddress;
  /** What a person accepts by letting the work loop tools run without asking. */
  approval?: string;
};

/** A JSON file: `servers` names the member that holds the servers by name. */
export type McpJsonFile = McpFile & {
  servers: string;
  /** How a file refers to the token's variable; another program's form would be sent literally. */
  token: string;
  server(connection: { url: string; headers: { headers?: { Authorization: string } }; approve: boolean }): object;
};

/** Everything that Signalbox knows about one agent program. `tools.ts` lists them. */
export type AgentTool = {
  /** Its only name: on the board, in claims, in `connect --for` and in `?client=`. */
  name: string;
  /** The name that people use. */
  title: string;
  /** Other spellings that `connect --for` accepts. */
  aliases?: readonly string[];
  /** Matches its MCP client in the address of the connection or in the user agent. */
  client: RegExp;
  /** The session or tool call that it names in the `_meta` of a call. */
  call?(meta: TranscriptRecord): { session: unknown; toolCall: unknown };
  /** Null: its sessions are not read, and it is known by name over MCP only. */
  sessions: { home: Home; format?: TranscriptFormat; documents?: Documents; process?: NamedProcess } | null;
  /** The command that continues a session. */
  resume: ((sessionId: string) => string) | null;
  mcp: McpFile | McpJsonFile;
};

/** A tool that needs no reader of its own: each session is one JSON document, and a process is known by its directory. */
export type DocumentTool = AgentTool & { sessions: { documents: Documents; process: NamedProcess } };

export const isDocumentTool = (tool: AgentTool): tool is DocumentTool =>
  tool.sessions?.documents !== undefined && tool.sessions.process !== undefined;

/** Keeps the literal types of a record, so that the names of all tools are one type. */
export const agentTool = <const Tool extends AgentTool>(tool: Tool): Tool => tool;

/** `${NAME}`, as most programs write a variable in their files. */
export const variable = (name: string): string => `$\{${name}}`;
