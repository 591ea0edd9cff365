import { rmSync } from 'node:fs';

// Run as: node end-with.ts <pid> <server pid> <folder>. Stops the server and removes its folder once the process that
// started it is gone, for whatever reason. So a killed test run leaves nothing behind.
const [starter = '0', server = '0', folder = ''] = process.argv.slice(2);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

setInterval(() => {
  if (!isAlive(Number(server))) process.exit();
  if (isAlive(Number(starter))) return;
  process.kill(-Number(server), 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  process.exit();
}, 250);
