import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { signalbox } from './signalbox.ts';

async function emptyProject() {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-connect-'));
  const filesIn = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .sort();
  const read = (file: string) => readFile(join(folder, file), 'utf8');
  const write = (file: string, text: string) => writeFile(join(folder, file), text);
  return { folder, filesIn, read, write, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

describe('signalbox connect', () => {
  test('writes nothing without a terminal and without --yes, but shows what it would write', async () => {
    await using project = await emptyProject();
    const { code, stdout } = await signalbox(project.folder, ['connect']);
    expect(code).toBe(1);
    expect(stdout).toContain('create .mcp.json');
    expect(stdout).toContain('--yes');
    expect(project.filesIn()).toEqual([]);
  });

  test('makes no folder of a mistyped one', async () => {
    await using project = await emptyProject();
    const missed = await signalbox(project.folder, ['connect', '--yes', '--dir', 'nowhere']);
    expect(missed).toMatchObject({ code: 1, stdout: '' });
    expect(project.filesIn()).toEqual([]);
  });

  test('connects an empty project, does nothing the second time, and leaves nothing behind on --remove', async () => {
    await using project = await emptyProject();
    expect(await signalbox(project.folder, ['connect', '--yes', '--hooks'])).toMatchObject({ code: 0 });
    expect(project.filesIn()).toEqual([
      '.claude/settings.json',
      '.claude/skills/signalbox/SKILL.md',
      '.codex/config.toml',
      '.mcp.json',
      'AGENTS.md',
    ]);
    const again = await signalbox(project.folder, ['connect', '--yes', '--hooks']);
    expect(again).toMatchObject({ code: 0, stdout: 'Already connected. Nothing to do.\n' });
    expect(await signalbox(project.folder, ['connect', '--remove', '--yes'])).toMatchObject({ code: 0 });
    expect(project.filesIn()).toEqual([]);
  });

  test("preserves the user's content byte for byte through connecting and removing", async () => {
    await using project = await emptyProject();
    const mine = {
      '.mcp.json': '{\n\t"mcpServers": {\n\t\t"mine": {\n\t\t\t"command": "x"\n\t\t}\n\t},\n\t"other": 1\n}\n',
      'AGENTS.md': '# My rules\n\nNever on Fridays.\n',
    };
    for (const [file, text] of Object.entries(mine)) await project.write(file, text);
    await signalbox(project.folder, ['connect', '--yes', '--url', 'http://127.0.0.1:7000/']);
    expect(JSON.parse(await project.read('.mcp.json'))).toEqual({
      mcpServers: { mine: { command: 'x' }, signalbox: { type: 'http', url: 'http://127.0.0.1:7000/api/mcp' } },
      other: 1,
    });
    expect(await project.read('AGENTS.md')).toMatch(/^# My rules\n\nNever on Fridays\.\n\n<!-- signalbox:begin -->/);
    await signalbox(project.folder, ['connect', '--remove', '--yes']);
    for (const [file, text] of Object.entries(mine)) expect(await project.read(file)).toBe(text);
    expect(project.filesIn()).toEqual(['.mcp.json', 'AGENTS.md']);
  });

  test('leaves an unreadable file alone, and reports it', async () => {
    await using project = await emptyProject();
    await project.write('.mcp.json', '{ "mcpServers": }');
    const { code, stderr } = await signalbox(project.folder, ['connect', '--yes']);
    expect(code).toBe(1);
    expect(stderr).toContain('.mcp.json');
    expect(project.filesIn()).toEqual(['.mcp.json']);
  });

  test('refuses a link that leads out of the project, and never shows its target', async () => {
    await using project = await emptyProject();
    await using elsewhere = await emptyProject();
    await elsewhere.write('key', 'PRIVATE KEY');
    await mkdir(join(project.folder, '.claude/skills/signalbox'), { recursive: true });
    await symlink(join(elsewhere.folder, 'key'), join(project.folder, '.claude/skills/signalbox/SKILL.md'));
    for (const args of [
      ['connect', '--yes'],
      ['connect', '--remove', '--yes'],
    ]) {
      const { code, stdout, stderr } = await signalbox(project.folder, args);
      expect(code).toBe(1);
      expect(stderr).toContain('is a link that points outside the project');
      expect(stdout + stderr).not.toContain('PRIVATE KEY');
    }
    expect(await elsewhere.read('key')).toBe('PRIVATE KEY');
    expect(project.filesIn()).toEqual([]);
  });

  test('reads the address of the service where every command reads it, and refuses one that a shell would run', async () => {
    await using project = await emptyProject();
    const env = { SIGNALBOX_SERVICE_URL: 'http://127.0.0.1:7001' };
    await signalbox(project.folder, ['connect', '--yes'], env);
    expect(await project.read('.mcp.json')).toContain('http://127.0.0.1:7001/api/mcp');
    const refused = await signalbox(project.folder, ['connect', '--yes', '--url', 'http://x/$(id)']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--url must be an http address') });
  });

  test("uses the user's folder when run from a checkout", async () => {
    await using project = await emptyProject();
    const env = { INIT_CWD: project.folder, npm_lifecycle_event: 'signalbox' };
    await signalbox(tmpdir(), ['connect', '--yes', '--for', 'codex'], env);
    expect(project.filesIn()).toEqual(['.codex/config.toml', 'AGENTS.md']);
  });

  test('an MCP client connects with the written configuration and completes the loop', async () => {
    await using service = await start();
    await using project = await emptyProject();
    await service.call('POST', '/api/plans', { plan: 'release', nodes: [{ id: 'tests', binding: { kind: 'suite' } }] });
    await signalbox(project.folder, ['connect', '--yes', '--url', service.url]);
    const { url } = JSON.parse(await project.read('.mcp.json')).mcpServers.signalbox;
    const client = await newMcpClient(url, '');
    const use = async (name: string, args: object) =>
      ((await client.callTool({ name, arguments: { ...args } })) as { structuredContent: Record<string, unknown> })
        .structuredContent;
    try {
      const where = { plan: 'release', node: 'tests', agent: 'ada' };
      expect(await use('next_ready_nodes', {})).toMatchObject({ total: 1 });
      expect(await use('claim_node', where)).toMatchObject({ claimed: true });
      expect(await use('report_node', { ...where, note: 'half way' })).toMatchObject({ reported: true });
      expect(await use('release_node', where)).toMatchObject({ released: true });
    } finally {
      await client.close();
    }
  });

  test("the hook puts the session into a claim's arguments without Node, and is silent while the service is down", async () => {
    await using service = await start();
    await using project = await emptyProject();
    await signalbox(project.folder, ['connect', '--yes', '--hooks', '--url', service.url]);
    const { hooks } = JSON.parse(await project.read('.claude/settings.json'));
    const payload = {
      session_id: 's-1',
      hook_event_name: 'PreToolUse',
      tool_name: 'mcp__signalbox__claim_node',
      tool_input: { plan: 'release', node: 'tests', agent: 'ada' },
    };
    const [
      {
        hooks: [{ command }],
      },
    ] = hooks.PreToolUse;
    const run = () => ran('/bin/sh', ['-c', command], { PATH: '/usr/bin:/bin' }, JSON.stringify(payload));
    const { stdout } = await run();
    expect(JSON.parse(stdout).hookSpecificOutput.updatedInput).toEqual({ ...payload.tool_input, session: 's-1' });
    await service.stop();
    expect(await run()).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

/** Runs next to this process, which serves the command's requests. */
function ran(file: string, args: string[], env: Record<string, string>, input: string) {
  const child = spawn(file, args, { env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text) => (stdout += text));
  child.stderr.on('data', (text) => (stderr += text));
  child.stdin.on('error', () => undefined).end(input);
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  );
}
