import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { executablePath, launch } from '../../browser/chromium.ts';
import { recordNotifications } from '../../browser/record-notifications.ts';
import { measured } from './measured.ts';
import { playing } from './model/script.ts';
import { programOf } from './programs.ts';
import { gate, isInstalled, openRig, type Rig, type Running } from './rig.ts';

const claude = programOf('claude-code');
const soonMs = 3_000;
const onPageMs = 2_000;

const options = ['Red', 'Blue'].map((label) => ({ label, description: `${label} it is` }));
const question = { question: 'Which colour do you want?', header: 'Colour', multiSelect: false, options };

/** A terminal draws by moving the cursor, so only its letters are compared. */
const onScreen = (text: string): string => stripVTControlCharacters(text).replace(/\s/g, '');

/** The records of its processes, by the names of the files. */
async function registryFiles({ place }: Rig): Promise<[name: string, text: string][]> {
  const folder = join(place.home, '.claude/sessions');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => '{}');
  return Promise.all(names.map(async (name): Promise<[string, string]> => [name, await read(name)]));
}

/** The sessions that its live processes claim to serve. */
const registered = async (rig: Rig): Promise<string[]> =>
  (await registryFiles(rig)).map(([, text]) => /"sessionId":\s*"([^"]+)"/.exec(text)?.[1] ?? '');

/** The files of processes that wait for their user. */
const waitingFiles = async (rig: Rig): Promise<string[]> =>
  (await registryFiles(rig)).flatMap(([name, text]) => (/"status":\s*"waiting"/.test(text) ? [name] : []));

/** Types a script's name once the program is ready, and sends it, as a person does at a terminal. */
async function playIn(rig: Rig, terminal: Running, script: string): Promise<void> {
  const shows = (text: string) => showsOn(rig, terminal, text);
  await shows('❯');
  terminal.child.stdin?.write(playing(script));
  await shows(playing(script));
  terminal.child.stdin?.write('\r');
}

const showsOn = (rig: Rig, terminal: Running, text: string) =>
  rig.until(async () => onScreen(terminal.output()).includes(onScreen(text)), `"${text}" on the screen`);

describe.runIf(isInstalled('claude-code'))('Claude Code with hooks', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig(['--hooks']);
    await rig.newPlan('shop', ['kept', 'left', 'cleared', 'first', 'second']);
  });
  afterAll(() => rig[Symbol.asyncDispose]());

  const holds = (node: string) => ({ signalbox: 'claim_node', input: { plan: 'shop', node, agent: 'ada' } });
  const sessionOf = async (node: string) =>
    (await rig.sessions(claude.id)).find(({ claims }) => claims.some((one) => one.node === node));

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
    measured('its end seen', took, soonMs);
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

  test.runIf(executablePath).for([
    {
      script: 'asks',
      what: 'asks its user',
      step: { tool: 'AskUserQuestion', input: { questions: [question] } },
      onItsScreen: question.question,
      onThePage: 'Waits for an answer.',
    },
    {
      script: 'touches',
      what: 'needs a permission',
      step: { shell: 'node --eval 1' },
      onItsScreen: 'Do you want to proceed?',
      onThePage: 'Waits for a permission.',
    },
  ])('that $what is on the start page, in the title and notified', async (wait) => {
    const browser = await launch();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.addInitScript(recordNotifications);
    await page.goto(rig.url);
    await page.getByText('Live', { exact: true }).waitFor();
    const before = new Set(await waitingFiles(rig));
    rig.model.plays(wait.script, [wait.step, { say: 'Done.' }]);
    await using terminal = rig.terminal(claude, ['--permission-mode', 'default']);
    await playIn(rig, terminal, wait.script);
    const isNew = async () => (await waitingFiles(rig)).some((name) => !before.has(name));
    await rig.until(isNew, 'waiting in its file');
    const began = performance.now();
    await page.getByRole('region', { name: 'Agents waiting for you' }).getByText(wait.onThePage).waitFor();
    const notified = async () =>
      ((await page.evaluate('window.shown')) as string[]).filter((text) => text.includes(wait.onThePage));
    await expect.poll(notified).toHaveLength(1);
    const isCounted = async () => {
      const { needs } = (await rig.call('GET', '/api/needs')).body;
      return (await page.title()).includes(`(${needs.length}) `);
    };
    await expect.poll(isCounted).toBe(true);
    const what = `an agent that ${wait.what} on the page, in its title and notified`;
    measured(what, performance.now() - began, onPageMs);
    await showsOn(rig, terminal, wait.onItsScreen);
  });

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
      const session = (await rig.sessions(claude.id)).find(({ sessionId }) => sessionId === before.sessionId);
      return session?.state === 'gone' && session;
    };
    // Measured from when the program itself has begun the next session; how long it needs for that does not count.
    await rig.until(async () => !(await registered(rig)).includes(before.sessionId), '/clear done by the program');
    const [replaced, took] = await rig.until(isReplaced, '/clear seen');
    expect(replaced.reason).toMatch(/^replaced:/);
    measured('/clear seen', took, soonMs);
    expect(isShown('Twice.')).toBe(false);
  });
});
