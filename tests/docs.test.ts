import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { compileCache } from './compile-cache.ts';
import { cli } from './spawn.ts';
import { start } from './start.ts';

const root = join(import.meta.dirname, '..');
type Block = { language: string; text: string };

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', body = '']) => ({
    language,
    text: body,
  }));
}

/** The commands that a reader would type, in order; a YAML block that names its file is saved first. */
function scriptOf(page: string): string {
  return blocksOf(page)
    .flatMap(({ language, text }) => {
      const file = /^# (\S+\.yaml)\n/.exec(text)?.[1];
      if (language === 'yaml' && file) return [`cat > ${file} <<'END'\n${text}END`];
      return language === 'sh' || language === 'bash' ? [text] : [];
    })
    .filter((text) => !/claude mcp add|npm install|npm start/.test(text))
    .join('\n');
}

test('every file that the page of the sources and AGENTS.md name is there', () => {
  const text = ['docs/architecture.md', 'AGENTS.md'].map((page) => readFileSync(join(root, page), 'utf8')).join('\n');
  const named = [...text.matchAll(/`((?:[\w-]+\/)+[\w.-]+\.tsx?)`/g)].map(([, file = '']) => file);
  const below = [
    '',
    'packages/service/src',
    'packages/service/src/coordination',
    'packages/service/src/console',
    'packages/web/src',
  ];
  const isThere = (file: string) => below.some((folder) => existsSync(join(root, folder, file)));
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((file) => !isThere(file))).toEqual([]);
});

test('every link of the documentation leads to something that is there', () => {
  const pages = ['README.md', 'AGENTS.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'bench/README.md'];
  const all = [...pages, ...globSync('docs/**/*.md', { cwd: root })];
  const broken = all.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
      .replace(/^```[\s\S]*?^```$/gm, '')
      .replace(/`[^`\n]*`/g, '');
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target.split('#', 1)[0] ?? '');
    const own = targets.filter((target) => target !== '' && !/^https?:/.test(target));
    return own.filter((target) => !existsSync(join(root, dirname(page), target))).map((target) => `${page}: ${target}`);
  });
  expect(broken).toEqual([]);
});

test.each(['docs/start.md', 'docs/guides/work-loop.md'])('every command in %s works unchanged', async (page) => {
  await using service = await start();
  // curl fails if the service refuses; the reader's suite passes.
  writeFileSync(join(service.home, '.curlrc'), 'fail-with-body\n');
  writeFileSync(join(service.home, 'package.json'), '{"scripts":{"test":"node -e 0"}}');
  mkdirSync(join(service.home, 'bin'));
  writeFileSync(join(service.home, 'bin', 'signalbox'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`, {
    mode: 0o755,
  });
  const script = scriptOf(page)
    .replaceAll('http://localhost:5526', service.url)
    .replaceAll('localhost:5526', service.url);
  expect(script).toMatch(/curl|signalbox/);
  const child = spawn('bash', ['-euo', 'pipefail', '-x', '-c', script], {
    cwd: service.home,
    env: {
      PATH: `${join(service.home, 'bin')}:${process.env.PATH}`,
      HOME: service.home,
      ...compileCache,
      SIGNALBOX_SERVICE_URL: service.url,
      SIGNALBOX_URL: service.consoleUrl,
    },
  });
  let told = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (told += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code, told).toBe(0);
  const lexer = async () =>
    (await service.call('GET', '/api/plans/checkout/status')).body.nodes.find(
      ({ id }: { id: string }) => id === 'lexer',
    );
  await expect.poll(async () => (await lexer()).status, { message: told }).toBe('done');
});
