import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { publishedFolder } from '../../files/package-folder.ts';
import type { Story } from '../../kernel/story.ts';
import { platform } from '../../platform/platform.ts';
import { isAlive } from '../../platform/processes.ts';
import { unlessRefused } from '../unless-refused.ts';
import { forget } from './agent-sessions.ts';
import { storyOf, storySeconds } from './beats.ts';
import { createScene, type Examples } from './scene.ts';
import { openStage, type Stage } from './stage.ts';
import { StoryPlayer } from './story-player.ts';

const tickMs = 250;
const prefix = 'signalbox-demo-';

/** Plays the story until it is interrupted. It creates everything in one temporary folder and removes it at the end. */
export async function playLivingDemo(
  examples: Examples,
  { open, ports }: { open: boolean; ports: string },
): Promise<void> {
  removeLeftovers();
  const interrupted = whenInterrupted();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`)));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  let places = ports;
  for (let first = true; !interrupted.aborted; first = false) {
    const { stage, player } = await openPerformance(folder, places, examples);
    const { coordination, console } = stage.service;
    places = `${coordination.port},${console.port}`;
    if (first) await announce(`${coordination.url}/?story=1`, folder, open);
    try {
      for (let before = performance.now(); !player.isOver && !interrupted.aborted; ) {
        const now = performance.now();
        const told = await unlessRefused('a step', () => player.advance(now - before));
        if (told !== 'a step') process.stderr.write(`${told}\n`);
        before = now;
        await pause(tickMs, undefined, { signal: interrupted }).catch(() => undefined);
      }
    } finally {
      await stage.close();
    }
  }
  forget(folder);
  process.stdout.write('The demo has ended, and everything it created was removed.\n');
}

/** Through npm the same Ctrl-C may arrive twice; a later second one ends the demo immediately. */
const againMs = 1_000;

function whenInterrupted(): AbortSignal {
  const controller = new AbortController();
  let since = 0;
  const interrupt = () => {
    if (!controller.signal.aborted) since = performance.now();
    else if (performance.now() - since > againMs) process.exit(0);
    controller.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return controller.signal;
}

async function openPerformance(folder: string, ports: string, examples: Examples) {
  let stage: Stage | null = null;
  const player = new StoryPlayer({
    beats: storyOf(createScene(() => stage as Stage, examples)),
    lengthSeconds: storySeconds,
    advance: async (ms) => stage?.advance(ms),
  });
  const story: Story = {
    state: () => player.state(),
    act: (action) => player.act(action),
    document: readDocument,
  };
  stage = await openStage(mkdtempSync(join(folder, 'story-')), ports, story);
  return { stage, player };
}

async function announce(url: string, folder: string, open: boolean): Promise<void> {
  process.stdout.write(`Signalbox demo
  page    ${url}
  data    ${folder} (removed at the end; nothing of yours is read or changed)
  story   four minutes, in a loop; use the bar at the bottom of the page to pause or step through it
Ctrl-C ends it.
`);
  if (!open) return;
  const result = await platform.openInBrowser(url);
  if (!result.opened) process.stdout.write(`Open ${url} in your browser (${result.reason}).\n`);
}

/** A killed demo leaves its folder behind. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : Number.NaN;
    if (Number.isInteger(pid) && !isAlive(pid)) forget(join(tmpdir(), name));
  }
}

const docs = publishedFolder('docs', 'docs');

/** A page of the documentation by its path, such as `guides/hub.md`. */
function readDocument(path: string): string | null {
  if (!/^(?:[a-z]+\/)?[a-z-]+\.md$/.test(path)) return null;
  const file = join(docs, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
