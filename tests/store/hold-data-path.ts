import { lockDataPath } from '../../packages/service/src/store/data-path.ts';

// Run as: node hold-data-path.ts <folder>. Locks the folder, prints that, and holds the lock until killed.
lockDataPath(process.argv[2] ?? '', '2026-01-01T09:00:00.000Z');
process.stdout.write('held\n');
setInterval(() => undefined, 60_000);
