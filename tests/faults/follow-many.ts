import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ClaudeSessions } from '../../packages/service/src/coordination/agents/io/claude-sessions.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';

// Run as: node follow-many.ts <folder> <projects>. Watches this many projects and prints its own figures.
const [path = '', projects = '0'] = process.argv.slice(2);
mkdirSync(join(path, 'sessions'), { recursive: true });
for (let n = 0; n < Number(projects); n += 1) mkdirSync(join(path, 'projects', `-p${n}`), { recursive: true });
const clock = createSettableClock();
const source = new ClaudeSessions({ path, clock });
const stop = source.onChange(() => undefined);
await source.poll();
clock.advance(60_000);
const { ok, detail } = await source.poll();
process.stdout.write(JSON.stringify({ ok, detail }));
stop();
process.exit(0);
