import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { StoryState } from '../packages/service/src/kernel/story.ts';
import { launch } from '../tests/browser/chromium.ts';
import { signalbox } from '../tests/spawn.ts';
import { type Frame, gifOf } from './gif.ts';
import { withPalette } from './palette.ts';

// Takes the pictures and the recording for the README and the documentation from `signalbox demo`, which plays for four
// minutes. `npm run screenshots` writes all of them, `npm run screenshots -- run plan` only these.
const folder = join(import.meta.dirname, '../docs/images');
const asked = process.argv.slice(2);
const isAsked = (name: string) => asked.length === 0 || asked.includes(name);
const size = { width: 1280, height: 800 };
/** The four-minute story in half a minute. */
const faster = 8;
const everyMs = 2_000;

type Shot = {
  name: string;
  /** The step of the story, by the beginning of its title, and how long after it. */
  during: string;
  afterMs: number;
  /** The pages shown so far by the story. */
  path(shown: ReadonlyMap<string, string>): string;
  ready: string;
  theme?: 'light';
};

const suite = 'A suite runs';
const runPage = (shown: ReadonlyMap<string, string>) => shown.get(suite) ?? '/runs';
const shots: readonly Shot[] = [
  { name: 'run', during: 'A suite runs', afterMs: 14_000, path: runPage, ready: '4 workers' },
  { name: 'agents', during: 'A session dies', afterMs: 8_000, path: () => '/agents', ready: 'orphaned' },
  {
    name: 'failures',
    during: 'The run failed',
    afterMs: 4_000,
    path: (shown) => `${runPage(shown)}?view=failures`,
    ready: 'but was <n>',
    theme: 'light',
  },
  {
    name: 'replay',
    during: 'The run failed',
    afterMs: 10_000,
    path: (shown) => `${runPage(shown)}?at=24000`,
    ready: 'End replay',
  },
  {
    name: 'plan',
    during: 'Proven done',
    afterMs: 6_000,
    path: () => '/plans/platform-sdk?node=publish-js',
    ready: 'Impact',
  },
  {
    name: 'event-model',
    during: 'An event model',
    afterMs: 26_000,
    path: () => '/event-model?slice=Place%20an%20order',
    ready: 'Made of',
  },
  { name: 'home', during: 'An agent waits', afterMs: 6_000, path: () => '/', ready: 'Needs' },
];

mkdirSync(folder, { recursive: true });
await using demo = signalbox(['demo', '--no-open']);
const [, address = ''] = await demo.says(/page +(\S+)\n/);
const { origin } = new URL(address);
const browser = await launch();
try {
  await watch(browser);
} finally {
  await browser.close();
  demo.child.kill('SIGINT');
  await demo.ended;
}

/** Watches the story from start to end, and takes the pictures at its steps. */
async function watch(from: Browser): Promise<void> {
  const page = await newPage(from, {});
  await page.goto(address);
  const frames: Frame[] = [];
  const shown = new Map<string, string>();
  const begun = new Map<string, number>();
  const taken = new Map<string, Promise<void>>();
  let [step, before] = [0, Date.now()];
  for (;;) {
    const story = (await (await fetch(`${origin}/api/story`)).json()) as StoryState;
    if (story.step < step) break;
    step = story.step;
    shown.set(story.title, story.page);
    shown.set(suite, story.title.startsWith(suite) ? story.page : (shown.get(suite) ?? ''));
    if (isAsked('demo')) {
      const png = await page.screenshot();
      const last = frames.at(-1);
      if (last) last.ms = (Date.now() - before) / faster;
      frames.push({ png, ms: everyMs / faster });
      before = Date.now();
    }
    begun.set(story.title, begun.get(story.title) ?? Date.now());
    for (const shot of shots) {
      const [, since = Number.POSITIVE_INFINITY] = [...begun].find(([title]) => title.startsWith(shot.during)) ?? [];
      if (Date.now() - since < shot.afterMs || taken.has(shot.name) || !isAsked(shot.name)) continue;
      taken.set(
        shot.name,
        take(from, shot, shot.path(shown)).catch((fault) => notTaken(shot, fault)),
      );
    }
    await pause(Math.max(everyMs / 4, before + everyMs - Date.now()));
  }
  await Promise.all(taken.values());
  if (frames.length > 0) write('demo.gif', gifOf(frames));
}

function notTaken({ name }: Shot, fault: unknown): void {
  process.stderr.write(`${name} was not taken: ${fault}\n`);
  process.exitCode = 1;
}

async function newPage(from: Browser, options: { colorScheme?: 'light' | 'dark' }): Promise<Page> {
  const context = await from.newContext({ viewport: size, colorScheme: 'dark', ...options });
  return await context.newPage();
}

async function take(from: Browser, { name, ready, theme }: Shot, path: string): Promise<void> {
  const page = await newPage(from, { colorScheme: theme ?? 'dark' });
  await page.goto(origin + path);
  await page.getByText(ready).first().waitFor({ state: 'attached' });
  await page.evaluate('document.fonts.ready');
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  write(`${name}.png`, withPalette(await page.screenshot({ animations: 'disabled' })));
  await page.context().close();
}

function write(name: string, picture: Buffer): void {
  writeFileSync(join(folder, name), picture);
  process.stdout.write(`docs/images/${name}: ${Math.round(picture.length / 1024)} KB\n`);
}
