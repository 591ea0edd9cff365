import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { OpenCodeSessions } from '../../packages/service/src/coordination/agents/io/opencode-sessions.ts';
import { fixtureOf, process, readerScene } from './reader-scene.ts';

const sql = await fixtureOf('opencode', 'opencode.sql');
const sessionId = /'(ses_\w+)'/.exec(sql)?.[1] ?? '';
const startAt = Number(/INSERT INTO message VALUES \('[^']+', '[^']+', (\d+)/.exec(sql)?.[1]);
const opencode = process(42, startAt - 3_000, ['opencode', 'run']);

async function scene() {
  const home = await readerScene(startAt + 20_000, (path, clock, running) => {
    const processes = { list: async () => running(), openFiles: async () => new Map() };
    return new OpenCodeSessions({ path, clock, processes, watches: false });
  });
  const database = () => {
    const opened = new DatabaseSync(join(home.path, 'opencode.db'));
    opened.exec('PRAGMA journal_mode = WAL');
    return opened;
  };
  return { ...home, database };
}

test('a session is running while its newest message has no end, idle after it, and gone with its process', async () => {
  const home = await scene();
  const database = home.database();
  onTestFinished(() => database.close());
  database.exec(sql);
  const newest = 'id = (SELECT id FROM message ORDER BY time_created DESC LIMIT 1)';
  const { data } = database.prepare(`SELECT data FROM message WHERE ${newest}`).get() as { data: string };
  database.exec(`UPDATE message SET data = json_remove(data, '$.time.completed', '$.finish') WHERE ${newest}`);
  home.runs(opencode);
  const known = { sessionId, cwd: '/fx/shop', pid: 42 };
  expect((await home.poll()).sessions).toEqual([{ ...known, state: 'running', reason: 'model' }]);
  database.prepare(`UPDATE message SET data = ? WHERE ${newest}`).run(data);
  const { scan, sessions } = await home.poll();
  expect(sessions).toEqual([{ ...known, state: 'idle', reason: 'end_turn' }]);
  expect(scan.transcripts.get(sessionId)?.usage).toMatchObject({
    turns: 1,
    tokens: { input: 4_800, cached: 20_000, output: 168 },
  });
  home.runs();
  expect((await home.poll()).sessions).toMatchObject([{ state: 'gone', pid: null }]);
});

test('a database that nobody has open is read without leaving a file beside it', async () => {
  const home = await scene();
  const database = home.database();
  database.exec(sql);
  database.close();
  expect(await home.files()).toEqual(['opencode.db']);
  expect((await home.poll()).sessions).toMatchObject([{ sessionId }]);
  expect(await home.files()).toEqual(['opencode.db']);
});

test('a subagent is not a separate session', async () => {
  const home = await scene();
  const database = home.database();
  database.exec(sql);
  database.exec(
    "INSERT INTO session SELECT 'ses_sub', project_id, workspace_id, id, slug, directory, path, title, version, share_url, summary_additions, summary_deletions, summary_files, summary_diffs, metadata, cost, tokens_input, tokens_output, tokens_reasoning, tokens_cache_read, tokens_cache_write, revert, permission, agent, model, time_created, time_updated, time_compacting, time_archived FROM session",
  );
  database.close();
  expect((await home.poll()).sessions.map((one) => one.sessionId)).toEqual([sessionId]);
});

test('a database with another layout is reported, and nothing is guessed', async () => {
  const home = await scene();
  const database = home.database();
  database.exec('CREATE TABLE session (id text)');
  database.close();
  const { scan } = await home.poll();
  expect(scan).toMatchObject({ ok: false, detail: expect.stringContaining('opencode.db cannot be read') });
});
