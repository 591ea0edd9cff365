import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Installed, install } from '../tests/long/agents/install.ts';
import { playing } from '../tests/long/agents/model/script.ts';
import { type Program, programs } from '../tests/long/agents/programs.ts';
import { scrubbed, scrubbedLines } from '../tests/long/agents/scrub.ts';

// Makes tests/fixtures/sessions/<program> from what the real programs write today, with every text replaced.
const root = join(import.meta.dirname, '..');
process.env.PATH = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
const found = programs.map(install);
for (const one of found)
  if ('why' in one) process.stdout.write(`NOT INSTALLED, its fixture stays: ${one.id}: ${one.why}\n`);
const installed = found.filter((one): one is Installed => !('why' in one));
process.env.SIGNALBOX_AGENT_PROGRAMS = JSON.stringify(installed);
const { openRig } = await import('../tests/long/agents/rig.ts');

/** What a program wrote below the home, as names and texts of the fixture. */
function collect({ writes }: Program, home: string, base: string): Record<string, string> {
  const folder = join(home, writes.under);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => writes.name.test(path))
    .sort();
  return Object.fromEntries(
    files.map((path, at) =>
      path.endsWith('.db')
        ? [path.replace(/\.db$/, '.sql'), dumped(join(folder, path), base)]
        : [`session-${at + 1}.jsonl`, scrubbedLines(readFileSync(join(folder, path), 'utf8'), base)],
    ),
  );
}

const rig = await openRig();
try {
  await rig.newPlan(
    'shop',
    programs.map(({ id }) => id),
  );
  const base = join(rig.place.home, '..');
  for (const { id, version } of installed) {
    const program = programs.find((one) => one.id === id);
    if (!program) continue;
    rig.model.plays(id, [
      { signalbox: 'claim_node', input: { plan: 'shop', node: id, agent: id } },
      { shell: 'echo working' },
      { signalbox: 'release_node', input: { plan: 'shop', node: id, agent: id } },
      { say: 'Done.' },
    ]);
    const { code, output } = await rig.start(program, program.headless(playing(id))).ended;
    if (code !== 0) throw new Error(`${program.name} ended with ${code}: ${output}`);
    const folder = join(root, 'tests/fixtures/sessions', program.id);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'version'), `${version}\n`);
    for (const [name, text] of Object.entries(collect(program, rig.place.home, base)))
      writeFileSync(join(folder, name), text);
    process.stdout.write(`${program.name} ${version}: ${folder.slice(root.length + 1)}\n`);
  }
} finally {
  await rig[Symbol.asyncDispose]();
}

/** The three tables that are read, as SQL. */
function dumped(path: string, base: string): string {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return ['session', 'message', 'part'].map((table) => tableOf(database, table, base)).join('\n');
  } finally {
    database.close();
  }
}

function tableOf(database: DatabaseSync, table: string, base: string): string {
  const { sql } = database.prepare('SELECT sql FROM sqlite_master WHERE name = ?').get(table) as { sql: string };
  const rows = database.prepare(`SELECT * FROM ${table}`).all();
  const inserts = rows.map((row) => {
    const values = Object.entries(row).map(([key, value]) => literal(key, value, base));
    return `INSERT INTO ${table} VALUES (${values.join(', ')});`;
  });
  // Other tables are not part of the fixture.
  return `${sql.replace(/,\s*CONSTRAINT[\s\S]*$/, ')')};\n${inserts.join('\n')}\n`;
}

function literal(key: string, value: unknown, base: string): string {
  if (value === null || typeof value === 'number' || typeof value === 'bigint') return String(value);
  const text = String(value);
  const kept = /^[[{]/.test(text) ? JSON.stringify(scrubbed(JSON.parse(text), base)) : scrubbed(text, base, key);
  return `'${String(kept).replaceAll("'", "''")}'`;
}
