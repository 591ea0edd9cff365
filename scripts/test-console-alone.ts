import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The console never needs coordination: in a copy of the tree without it, it still compiles, answers and has no MCP.
const root = join(import.meta.dirname, '..');
const workFolder = mkdtempSync(join(tmpdir(), 'signalbox-alone-'));
const src = join(workFolder, 'packages', 'service', 'src');

const entry = `
import { readConfig } from './app/config.ts';
import { startConsole } from './app/standalone.ts';
const { config } = readConfig({ env: { CONSOLE_PORT: '0', HOME: ${JSON.stringify(workFolder)} }, args: [], cwd: ${JSON.stringify(workFolder)} }, true);
const { console: opened, stop } = await startConsole(config);
const ping = await fetch(opened.url + '/api/ping');
const mcp = await fetch(opened.url + '/api/mcp', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
process.stdout.write(JSON.stringify([ping.status, mcp.status]));
await stop();
`;

try {
  for (const path of [
    'package.json',
    'tsconfig.base.json',
    'packages/service/package.json',
    'packages/service/tsconfig.json',
    'packages/service/src',
    'packages/event-model/package.json',
    'packages/event-model/src',
    'packages/publisher/src/trace.ts',
  ]) {
    cpSync(join(root, path), join(workFolder, path), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(workFolder, 'node_modules'));
  for (const gone of [
    'coordination',
    'app/coordination.ts',
    'app/service.ts',
    'edge/mcp.ts',
    'edge/tool-schema.ts',
    'edge/tool-answer.ts',
  ]) {
    rmSync(join(src, gone), { recursive: true });
  }
  const contract = join(src, 'browser', 'contract.ts');
  writeFileSync(
    contract,
    readFileSync(contract, 'utf8')
      .replace(/^export (type )?\{[^}]*\} from '\.\.\/coordination[^;]*;$/gms, '')
      .replace(/^export (type )?\* from '\.\.\/coordination.*$/gm, ''),
  );
  writeFileSync(join(src, 'alone.ts'), entry);
  const config = { extends: './tsconfig.json', files: ['src/alone.ts', 'src/browser/contract.ts'], include: [] };
  writeFileSync(join(workFolder, 'packages/service/tsconfig.alone.json'), JSON.stringify(config));
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', join(workFolder, 'packages/service/tsconfig.alone.json')], {
    stdio: 'inherit',
  });
  const [ping, mcp] = JSON.parse(
    execFileSync(process.execPath, [join(src, 'alone.ts')], { encoding: 'utf8' }),
  ) as number[];
  if (ping !== 200 || mcp !== 404) throw new Error(`ping answered ${ping}, MCP ${mcp}`);
  process.stdout.write('ok  the console stands alone: it compiles, answers /api/ping and has no /api/mcp\n');
} finally {
  rmSync(workFolder, { recursive: true, force: true });
}
