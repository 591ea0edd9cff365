import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { executablePath, launch } from '../browser/chromium.ts';
import { recordNotifications } from '../browser/record-notifications.ts';
import { playing } from './model/script.ts';
import { programOf } from './programs.ts';
import { gate, isInstalled, openRig, type Rig } from './rig.ts';

const claude = programOf('claude');
const soonMs = 3_000;

const options = ['Red', 'Blue'].map((label) => ({ label, description: `${label} it is` }));
const question = { question: 'Which colour do you want?', header: 'Colour', multiSelect: false, options };

/** A terminal draws by moving the cursor: what it drew is known by its letters alone. */
const onScreen = (text: string): string => stripVTControlCharacters(text).replace(/\s/g, '');

/** The sessions that its live processes say they serve. */
async function registered({ place }: Rig): Promise<string[]> {
  const folder = join(place.home, '.claude/sessions');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '{}')));
  return texts.map((text) => /"sessionId":\s*"([^"]+)"/.exec(text)?.[1] ?? '');
}

describe.runIf(isInstalled('claude'))('Claude Code with hooks', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig(['--hooks']);
    await rig.newPlan('shop', ['kept', 'left', 'cleared', 'first', 'second']);
  });
  afterAll(() => rig[Symbol.asyncDispose]());

  const holds = (node: string) => ({ signalbox: 'claim_node', input: { plan: 'shop', node, agent: 'ada' } });
  const sessionOf = async (node: string) =>
    (await rig.sessions(claude.tool)).find(({ claims }) => claims.some((one) => one.node === node));

  test('names its session in a claim, and in -p its answer is its own', async () => {
    rig.model.plays('kept', [holds('kept'), { say: 'I stop and hold it.' }, { say: 'Reminded, which must not be.' }]);
    const { code, output } = await rig.start(claude, claude.headless(playing('kept'))).ended;
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('I stop and hold it.') });
    expect(output).not.toContain('Reminded');
    const [session, took] = await rig.until(async () => {
      const found = await sessionOf('kept');
      return found?.state === 'gone' && found;
    }, 'its end');
    expect(session.claims).toMatchObject([{ correlation: 'strong', health: 'orphaned' }]);
    expect.soft(took).toBeLessThan(soonMs);
  });

  test('two sessions in one tree contest it, and both are named', async () => {
    const done = gate();
    for (const name of ['first', 'second']) rig.model.plays(name, [holds(name), { say: 'Done.', after: done.opened }]);
    const running = ['first', 'second'].map((name) => rig.start(claude, claude.headless(playing(name))));
    const [{ sessions: ids }] = await rig.until(async () => {
      const { trees } = await rig.board();
      const claimed = (await sessionOf('first')) && (await sessionOf('second'));
      return claimed && trees.find(({ root, contested }) => root === rig.place.project && contested);
    }, 'a contested tree');
    const live = [await sessionOf('first'), await sessionOf('second')].map((session) => session?.sessionId);
    expect(ids).toEqual(expect.arrayContaining(live));
    done.open();
    await Promise.all(running.map(({ ended }) => ended));
  });

  test.runIf(executablePath)(
    'that asks its user is on the start page, in the title and notified within 2 s',
    async () => {
      const browser = await launch();
      onTestFinished(() => browser.close());
      const page = await browser.newPage();
      await page.addInitScript(recordNotifications);
      await page.goto(rig.url);
      await page.getByText('Live', { exact: true }).waitFor();
      rig.model.plays('asks', [{ tool: 'AskUserQuestion', input: { questions: [question] } }, { say: 'Done.' }]);
      await using terminal = rig.terminal(claude, []);
      const shows = (text: string) =>
        rig.until(async () => onScreen(terminal.output()).includes(onScreen(text)), `"${text}" on the screen`);
      await shows('❯');
      terminal.child.stdin?.write(playing('asks'));
      await shows(playing('asks'));
      terminal.child.stdin?.write('\r');
      await shows(question.question);
      const began = performance.now();
      await page.getByRole('region', { name: 'Agents waiting for you' }).getByText('Waits for an answer.').waitFor();
      await page.waitForFunction('/^\\(\\d+\\) /.test(document.title) && window.shown.length > 0');
      const took = performance.now() - began;
      process.stdout.write(`a waiting agent was on the page, in its title and notified after ${Math.round(took)} ms\n`);
      expect(took).toBeLessThan(2_000);
    },
  );

  test('is reminded once of what it holds, and /clear ends its session and begins another', async () => {
    rig.model.plays('cleared', [
      holds('cleared'),
      { say: 'First stop.' },
      { say: 'Reminded once.' },
      { say: 'Twice.' },
    ]);
    rig.model.plays('after', [{ say: 'A new session.' }]);
    await using terminal = rig.terminal(claude, []);
    const isShown = (text: string) => onScreen(terminal.output()).includes(onScreen(text));
    const shows = (text: string) => rig.until(async () => isShown(text), `"${text}" on the screen`);
    const enter = async (text: string) => {
      terminal.child.stdin?.write(text);
      await shows(text);
      terminal.child.stdin?.write('\r');
    };
    await shows('❯');
    await enter(playing('cleared'));
    await shows('Reminded once.');
    const [before] = await rig.until(() => sessionOf('cleared'), 'the claim on the session');
    await enter('/clear');
    const isReplaced = async () => {
      const session = (await rig.sessions(claude.tool)).find(({ sessionId }) => sessionId === before.sessionId);
      return session?.state === 'gone' && session;
    };
    // From when the program itself has begun the next session: how long it takes for that is its own affair.
    await rig.until(async () => !(await registered(rig)).includes(before.sessionId), '/clear done by the program');
    const [replaced, took] = await rig.until(isReplaced, '/clear seen');
    expect(replaced.reason).toMatch(/^replaced:/);
    expect.soft(took).toBeLessThan(soonMs);
    expect(isShown('Twice.')).toBe(false);
  });
});
