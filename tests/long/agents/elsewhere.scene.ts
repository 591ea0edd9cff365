import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Session } from '../../../packages/service/src/browser/contract.ts';
import { startedProcess } from '../../spawn.ts';
import { caller } from '../../start.ts';
import { measured } from './measured.ts';
import { playing } from './model/script.ts';
import { type Box, gateway, openBox, whyNoNamespaces } from './namespaces.ts';
import { programOf } from './programs.ts';
import { gate, git, isInstalled, openRig, type Rig, type Running } from './rig.ts';

const claude = programOf('claude-code');
const price = 'price.ts';
const soonMs = 3_000;
/** An observer that is silent this long is lost. */
const silentMs = 30_000;
const numbered = (changed: Record<number, string> = {}) =>
  Array.from({ length: 40 }, (_, at) => `${changed[at + 1] ?? `line ${at + 1}`}\n`).join('');

if (whyNoNamespaces !== null) process.stdout.write(`SKIPPED Claude Code elsewhere: ${whyNoNamespaces}\n`);

const onScreen = (text: string): string => stripVTControlCharacters(text).replace(/\s/g, '');

describe.runIf(isInstalled('claude-code') && whyNoNamespaces === null)(
  'Claude Code in its own process, mount and network namespace',
  () => {
    let rig: Rig;
    let box: Box;
    let observer: Running;
    beforeAll(async () => {
      rig = await openRig([], { Service__AllowedHosts: gateway });
      await writeFile(join(rig.place.project, price), numbered());
      git(rig.place.project, 'add', '-A');
      git(rig.place.project, 'commit', '-q', '-m', 'Prices');
      box = await openBox(rig);
      observer = box.observe('box');
      await rig.until(async () => observer.output().includes('Observing as box'), 'the observer');
    });
    afterAll(async () => {
      await box?.[Symbol.asyncDispose]();
      await rig?.[Symbol.asyncDispose]();
    });

    /** What the programs in the box record about themselves: everything is compared with this. */
    const registered = async (): Promise<string[]> => {
      const folder = join(box.place.home, '.claude/sessions');
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
      return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '{}')));
    };
    const inBox = async (): Promise<Session[]> => (await rig.board()).sessions.filter(({ host }) => host === 'box');
    const sessionWhere = async (is: (session: Session) => boolean) => (await inBox()).find(is);
    const begin = async (script: string): Promise<Running> => {
      const terminal = box.terminal(claude, ['--permission-mode', 'default']);
      const shows = (text: string) =>
        rig.until(async () => onScreen(terminal.output()).includes(onScreen(text)), `"${text}" on the screen`);
      await shows('❯');
      terminal.child.stdin?.write(playing(script));
      await shows(playing(script));
      terminal.child.stdin?.write('\r');
      return terminal;
    };
    const asks = [{ shell: 'node --eval 1' }, { say: 'Done.' }];
    let waiting: Session;

    test('is on the board, and seen to wait when it waits', async () => {
      const known = new Set((await inBox()).map(({ sessionId }) => sessionId));
      rig.model.plays('asks', asks);
      const beginning = begin('asks');
      await rig.until(async () => (await registered()).some((text) => text.includes('"sessionId"')), 'its own file');
      const isNew = ({ sessionId, live }: Session) => live && !known.has(sessionId);
      const [, seenAfter] = await rig.until(() => sessionWhere(isNew), 'the session on the board');
      await beginning;
      await rig.until(async () => (await registered()).some((text) => /"status":\s*"waiting"/.test(text)), 'waiting');
      const [session, waitSeenAfter] = await rig.until(
        () => sessionWhere(({ activity }) => activity === 'waiting'),
        'waiting on the board',
      );
      waiting = session;
      measured('in a namespace: on the board', seenAfter, soonMs);
      measured('in a namespace: waiting seen', waitSeenAfter, soonMs);
      expect(session).toMatchObject({
        via: 'observer',
        tree: box.place.project,
        repository: 'acme/shop',
        enter: 'enter box',
      });
    });

    test('two of them in one tree contest it, and their tree overlaps with one outside', async () => {
      const done = gate();
      rig.model.plays('second', [{ say: 'Done.', after: done.opened }]);
      rig.model.plays('outside', [{ say: 'Done.', after: done.opened }]);
      const second = box.start(claude, claude.headless(playing('second')));
      const [tree] = await rig.until(
        async () => (await rig.board()).trees.find(({ host, contested }) => host === 'box' && contested),
        `a contested tree in the box: ${second.output()}`,
      );
      expect(tree).toMatchObject({ root: box.place.project });
      expect(tree.sessions).toContain(waiting.sessionId);
      const outside = rig.start(claude, claude.headless(playing('outside')));
      await writeFile(join(rig.place.project, price), numbered({ 3: 'three' }));
      await writeFile(join(box.place.project, price), numbered({ 3: 'drei' }));
      const [overlap] = await rig.until(async () => {
        const { items } = (await rig.call('GET', '/api/overlaps')).body;
        return items.find(({ path, kind }: { path: string; kind: string }) => path === price && kind === 'same_lines');
      }, `an overlap: ${outside.output()}`);
      const places = overlap.trees.map(({ root }: { root: string }) => root);
      expect(places.toSorted()).toEqual([rig.place.project, box.place.project].toSorted());
      done.open();
      await Promise.all([second.ended, outside.ended]);
    });

    test('with its observer killed it is unknown, with a new one right again, and killed it is gone', async () => {
      const isWaiting = ({ sessionId }: Session) => sessionId === waiting.sessionId;
      await observer.kill();
      const [lost, lostAfter] = await rig.until(
        () => sessionWhere((one) => isWaiting(one) && one.state === 'unknown'),
        'its observer lost',
      );
      expect(lost).toMatchObject({ reason: 'observer_lost', live: false });
      expect((await rig.call('GET', '/api/overlaps')).body.items).toEqual([]);
      observer = box.observe('box');
      const [back, backAfter] = await rig.until(
        () => sessionWhere((one) => isWaiting(one) && one.state === 'running'),
        'right again',
      );
      expect(back).toMatchObject({ activity: 'waiting', pid: waiting.pid });
      box.kill(waiting.pid ?? 0);
      const [, goneAfter] = await rig.until(
        () => sessionWhere((one) => isWaiting(one) && one.state === 'gone'),
        'its end',
      );
      measured('its observer lost', lostAfter, 2 * silentMs);
      measured('its observer back', backAfter, soonMs);
      measured('killed in a namespace: seen', goneAfter, soonMs);
    });

    test('whose folder is shared but has no observer is unknown, never gone', async () => {
      const done = gate();
      rig.model.plays('unseen', [{ say: 'Done.', after: done.opened }]);
      const running = box.start(claude, claude.headless(playing('unseen')));
      // The killed program may have left its file.
      const [ids] = await rig.until(async () => {
        const all = (await registered()).flatMap((text) => /"sessionId":\s*"([^"]+)"/.exec(text)?.[1] ?? []);
        const own = all.filter((id) => id !== waiting.sessionId);
        return own.length > 0 && own;
      }, 'its own file');
      await using service = await startedProcess({ Service__SessionsPath: join(box.place.home, '.claude') });
      const [unseen] = await rig.until(async () => {
        const { sessions } = (await caller(service.url)('GET', '/api/agents')).body;
        const own: Session[] = sessions.filter(({ sessionId }: Session) => ids.includes(sessionId));
        return own.length > 0 && own;
      }, `its session: ${running.output()}`);
      for (const session of unseen) expect(session).toMatchObject({ state: 'unknown', reason: 'other_system' });
      done.open();
      await running.ended;
    });
  },
);
