import { lstatSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { withSafeFile } from '../../../files/safe-file.ts';
import type { OpenCodeMessage } from '../tools/opencode.ts';

/** A session as OpenCode keeps it, and its newest message. Titles, prompts, inputs and outputs are not selected. */
export type OpenCodeRow = {
  id: string;
  parent: string | null;
  directory: string;
  createdAt: number;
  updatedAt: number;
  model: string | null;
  input: number;
  cached: number;
  output: number;
  /** The number of prompts by the person. */
  turns: number;
  message: OpenCodeMessage | null;
};

const most = 2_000;

const sessions = `
  SELECT id, parent_id AS parent, directory, time_created AS createdAt, time_updated AS updatedAt,
    CASE WHEN json_valid(model) THEN json_extract(model, '$.id') END AS model,
    tokens_input AS input, tokens_cache_read AS cached, tokens_output AS output
  FROM session ORDER BY time_updated DESC LIMIT ${most}`;

const prompts = `SELECT count(*) AS turns FROM message WHERE session_id = ? AND json_extract(data, '$.role') = 'user'`;

const newestMessage = `
  SELECT id, time_updated AS updatedAt,
    json_extract(data, '$.role') AS role,
    json_extract(data, '$.time.completed') AS completedAt,
    json_extract(data, '$.finish') AS finish,
    json_extract(data, '$.error.name') AS error
  FROM message WHERE session_id = ? ORDER BY time_created DESC, id DESC LIMIT 1`;

const newestCall = `
  SELECT json_extract(data, '$.tool') AS tool, json_extract(data, '$.state.status') AS toolStatus, time_updated AS updatedAt
  FROM part WHERE message_id = ? AND json_extract(data, '$.type') = 'tool' ORDER BY id DESC LIMIT 1`;

type MessageRow = Omit<OpenCodeMessage, 'tool' | 'toolStatus'> & { id: string; updatedAt: number };
type CallRow = Pick<OpenCodeMessage, 'tool' | 'toolStatus'> & { updatedAt: number };

/**
 * Reads the database and closes it again. `known` are the rows of the last read: an old session that has not changed since is
 * not read again. Throws if the database has an unknown schema.
 */
export function readOpenCode(path: string, still: boolean, known: ReadonlyMap<string, OpenCodeRow>): OpenCodeRow[] {
  refuseSpecial(path);
  // Observers also run on Node 20, which has no SQLite.
  const sqlite = process.getBuiltinModule('node:sqlite');
  if (!sqlite) throw new Error('reading it needs Node 22.5 or later');
  const database = new sqlite.DatabaseSync(still ? immutable(path) : path, { readOnly: true });
  try {
    const message = database.prepare(newestMessage);
    const call = database.prepare(newestCall);
    const rows = database.prepare(sessions).all() as Omit<OpenCodeRow, 'message' | 'turns'>[];
    const counted = database.prepare(prompts);
    return rows.map((row, at) => {
      const before = known.get(row.id);
      // Writing to a session does not always change its own row, so the messages of the newest sessions are checked each time.
      if (before && before.updatedAt === row.updatedAt && at >= alwaysRead) return before;
      const newest = message.get(row.id) as MessageRow | undefined;
      const { turns } = counted.get(row.id) as { turns: number };
      if (!newest) return { ...row, turns, message: null };
      const { id, updatedAt, ...told } = newest;
      const used = told.completedAt === null ? (call.get(id) as CallRow | undefined) : undefined;
      const lastAt = Math.max(row.updatedAt, updatedAt, used?.updatedAt ?? 0);
      return {
        ...row,
        turns,
        updatedAt: lastAt,
        message: { ...told, tool: used?.tool ?? null, toolStatus: used?.toolStatus ?? null },
      };
    });
  } finally {
    database.close();
  }
}

const alwaysRead = 20;

/** For a file that no process has open: SQLite then creates no files beside it. */
function immutable(path: string): URL {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return url;
}

const walVersion = 2;

/** Whether the database is in WAL mode, so that changes may be in a file beside it: bytes 18 and 19 of the header. */
export async function isWriteAhead(path: string): Promise<boolean | null> {
  return withSafeFile(path, async (file) => (await file.read(18, 2)).every((byte) => byte === walVersion));
}

/** Opening a pipe would block the whole process until something opens its other end. */
function refuseSpecial(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats && !stats.isFile()) throw new Error('not a regular file');
  }
}
