// A fleet in 20 lines: runs the command for each ready node, four at a time. `node commands.mjs`
import { spawn } from 'node:child_process';
import { connect } from 'signalbox-client';

// The commands are in this file, not in the plan: authors of plans must not run commands on this machine.
const commands = {
  lint: 'npm run lint',
  test: 'npm test',
  build: 'npm run build',
  ...JSON.parse(process.env.COMMANDS ?? '{}'),
};

const box = connect({ url: process.env.SIGNALBOX_SERVICE_URL, token: process.env.SIGNALBOX_TOKEN });

const worker = box.work({ agent: 'fleet', concurrency: 4 }, async ({ node }, { signal, report }) => {
  const command = node.labels.map((label) => commands[label]).find(Boolean);
  if (!command) throw new Error(`no label of ${node.ref} names a command`);
  await report(`runs ${command}`);
  const env = { ...process.env, SIGNALBOX_NODE: node.ref };
  const child = spawn(command, { shell: true, stdio: 'inherit', env, signal });
  const code = await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
});
await worker.done;
