import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'vite';

// Builds packages/client/dist, the published package: one JavaScript file, and types without imports.
const root = join(import.meta.dirname, '..');
const service = join(root, 'packages', 'service', 'src');
const client = join(root, 'packages', 'client');
const dist = join(client, 'dist');

/** The source files of the client; its maps of calls and messages are replaced by the generated ones. */
const parts = [
  ...globSync('client/*.ts', { cwd: service }),
  ...['call', 'problem', 'rest-request', 'routes'].map((name) => `browser/${name}.ts`),
  ...['hub-beat', 'is-object', 'outcome'].map((name) => `kernel/${name}.ts`),
].filter((path) => !path.endsWith('.test.ts'));
const writtenOut = {
  'browser/api.ts': "export type { Api, ConsoleApi } from '../api-types.ts';\n",
  'browser/monitor-events.ts': "export type { MonitorEvent, Outcome } from '../api-types.ts';\n",
  'browser/messages.ts': [
    "export { hubSilentMs } from '../kernel/hub-beat.ts';",
    "export type { Message, MessageData, MessageType } from '../api-types.ts';\n",
  ].join('\n'),
};

const stage = mkdtempSync(join(tmpdir(), 'signalbox-client-'));
const put = (path: string) => {
  mkdirSync(dirname(join(stage, 'src', path)), { recursive: true });
  return join(stage, 'src', path);
};
try {
  for (const path of parts) copyFileSync(join(service, path), put(path));
  for (const [path, text] of Object.entries(writtenOut)) writeFileSync(put(path), text);
  copyFileSync(join(client, 'src', 'api-types.ts'), put('api-types.ts'));
  compile();
  rmSync(dist, { recursive: true, force: true });
  await build({
    root: stage,
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: dist,
      emptyOutDir: true,
      target: 'es2022',
      minify: true,
      lib: { entry: join(stage, 'out', 'client', 'index.js'), formats: ['es'], fileName: 'index' },
    },
  });
  cpSync(join(stage, 'out'), join(dist, 'types'), { recursive: true, filter: (path) => !path.endsWith('.js') });
} finally {
  rmSync(stage, { recursive: true, force: true });
}

function compile(): void {
  const options = {
    target: 'ES2022',
    lib: ['ES2024', 'ESNext.Disposable', 'DOM'],
    types: [],
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    declaration: true,
    rootDir: 'src',
    outDir: 'out',
  };
  writeFileSync(join(stage, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(stage, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['src'] }));
  const { status } = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', stage], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('the client does not compile on its own');
  for (const path of globSync('**/*.d.ts', { cwd: join(stage, 'out') })) {
    const file = join(stage, 'out', path);
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/(from|import\()(\s*)(['"])(\.[^'"]+)\.ts\3/g, '$1$2$3$4.js$3'),
    );
  }
}
