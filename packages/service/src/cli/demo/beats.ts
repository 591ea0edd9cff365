import { pageAddress } from '../page-address.ts';
import { changeSameLines, claudeSessions, codexSessions, demoWorktree, geminiSessions } from './agent-sessions.ts';
import { basketPicture } from './picture.ts';
import { allPassing, firstFailure, timedEvents, withFailureDetails } from './played-run.ts';
import type { Scene } from './scene.ts';
import type { Beat } from './story-player.ts';

export const storySeconds = 240;

/** The story: each event, its time, and why it matters. */
export const storyOf = (scene: Scene): Beat[] =>
  [opening, working, trouble, proof, ending].flatMap((part) => part(scene));

/** The story has no network, so nodes that need it are signed off instead. */
const offline = (document: string): string =>
  document
    .split('\n')
    .map((line) => {
      const at = line.indexOf('binding: {');
      return at < 0 || /kind: (?:suite|signOff)/.test(line) ? line : `${line.slice(0, at)}binding: { kind: signOff }`;
    })
    .join('\n');

function opening({ stage, examples, call, enter, actor, claim, signOff, folder }: Scene): Beat[] {
  return [
    {
      atSeconds: 0,
      title: 'Three plans across eight repositories',
      text: 'A plan is a graph of work. Signalbox always knows what is ready: dependencies done, nobody working on it.',
      guide: 'concepts/plans-and-proof.md',
      async play() {
        for (const [plan, document] of Object.entries(examples.plans))
          await call('import_plan', { plan, document: offline(document), mode: 'seed', by: 'ida' });
        await stage().console.call('push_event_model', { source: 'shop', document: examples.model });
        await signOff('platform-sdk/contract', 'ida', 'agreed with all four teams');
        return '/plans';
      },
    },
    {
      atSeconds: 14,
      title: 'Agents start working',
      text: 'Claude Code, Codex and Gemini CLI are observed by their session files and processes. Nothing is installed in them, and no prompt is read.',
      guide: 'concepts/claims-and-health.md',
      async play() {
        const [claude, codex, gemini] = [claudeSessions(stage()), codexSessions(stage()), geminiSessions(stage())];
        const worktree = demoWorktree(stage().home, 'acme/shop', 'refund');
        if (worktree !== null) changeSameLines(folder('acme/shop'), worktree);
        const [ada, bob, eve, noor, uma] = await Promise.all([
          claude('serve both price forms', folder('acme/platform')),
          codex('price lexer', folder('acme/shop')),
          claude('minor units in the SDK', folder('acme/sdk-js')),
          gemini('ledger columns', folder('acme/ledger')),
          claude('refund rules', worktree ?? folder('acme/shop-web')),
        ]);
        enter({ ada, bob, eve, noor, uma });
        for (const session of [ada, bob, eve, noor]) session.work('Read');
        uma.idle();
        return '/agents';
      },
    },
    {
      atSeconds: 30,
      title: 'Each takes a piece of work',
      text: 'A claim is a lease with exactly one holder. uma asks for the SDK too and is refused because eve holds it, so nothing is done twice.',
      guide: 'guides/work-loop.md',
      async play() {
        await claim('platform-sdk/server', 'ada');
        await claim('checkout-2/lexer', 'bob');
        await claim('platform-sdk/sdk-js', 'eve', 1.5);
        await claim('ledger-migration/expand', 'noor');
        await claim('platform-sdk/sdk-js', 'uma');
        for (const name of ['ada', 'bob', 'eve', 'noor'] as const) actor(name).work('Edit');
        return '/plans/platform-sdk';
      },
    },
  ];
}

function working({ stage, examples, runs, enter, actor, report, folder }: Scene): Beat[] {
  return [
    {
      atSeconds: 46,
      title: 'They report while they work',
      text: 'Each report renews the lease and leaves a note for the next holder.',
      guide: 'guides/work-loop.md',
      async play() {
        await report('platform-sdk/server', 'ada', 'both forms served behind a flag, load test next');
        await report('checkout-2/lexer', 'bob', 'split; the old entry point stays until the parser is done');
        await report('ledger-migration/expand', 'noor', 'columns added, nullable for now');
        // Ends before the next holder claims, even if the story lags behind its clock.
        await report('platform-sdk/sdk-js', 'eve', 'formatPrice takes the new field, the suite comes next', 1.1);
        return '/agents';
      },
    },
    {
      atSeconds: 58,
      title: 'A suite runs, test by test',
      text: 'Four workers, a retry, a worker that crashes, a test that stalls. Every test keeps its attempts, errors and output.',
      guide: 'guides/connect-tests.md',
      async play() {
        const more = { runId: runs.sdk, repository: folder('acme/sdk-js'), tag: 'platform-sdk/sdk-js' };
        await stage().publish(withFailureDetails(timedEvents(examples.sdkRun, more), basketPicture()), 42);
        actor('eve').work('Bash');
        return pageAddress.run(runs.sdk);
      },
    },
    {
      atSeconds: 76,
      title: 'Two sessions in one working tree',
      text: 'otto starts in the tree where eve works. They would overwrite each other’s changes: the tree is marked contested before that happens.',
      guide: 'concepts/claims-and-health.md',
      async play() {
        const otto = await claudeSessions(stage())('a quick look', folder('acme/sdk-js'));
        otto.work('Grep');
        enter({ otto });
        return '/agents';
      },
    },
  ];
}

function trouble({ runs, actor, claim, report, release, node }: Scene): Beat[] {
  return [
    {
      atSeconds: 90,
      title: 'A session dies holding work',
      text: 'eve’s process is gone in the middle of its turn, and its claim is marked orphaned. Signalbox never releases a claim by itself: it ends with its lease.',
      guide: 'concepts/claims-and-health.md',
      async play() {
        await actor('eve').kill();
        return node('platform-sdk/sdk-js');
      },
    },
    {
      atSeconds: 106,
      title: 'The run failed: what, where, how to run it again',
      text: 'Expected and actual values, the line of code, a screenshot, the command to run it again. Similar failures are grouped.',
      guide: 'concepts/runs-and-archives.md',
      play: async () => `${pageAddress.run(runs.sdk)}?view=failures&scenario=${encodeURIComponent(firstFailure)}`,
    },
    {
      atSeconds: 124,
      title: 'eve’s claim has ended, otto continues',
      text: 'Its lease has ended (if you step through the story, it is released instead). The node is ready again, with eve’s last note. otto claims it; nobody had to clean up first.',
      guide: 'guides/work-loop.md',
      async play() {
        const { claimed } = await claim('platform-sdk/sdk-js', 'otto');
        // If a person steps through the story, the lease has not ended yet.
        if (!claimed) {
          await release('platform-sdk/sdk-js', 'eve');
          await claim('platform-sdk/sdk-js', 'otto');
        }
        await report('platform-sdk/sdk-js', 'otto', 'rounding in formatPrice was wrong for JPY, fixed');
        actor('otto').work('Edit');
        return node('platform-sdk/sdk-js');
      },
    },
  ];
}

function proof({ stage, examples, runs, actor, release, handIn, signOff, node, folder }: Scene): Beat[] {
  return [
    {
      atSeconds: 138,
      title: 'The fix is tested',
      text: 'The same suite, tagged with its node. A node is done when a run proves it, never because its holder says so.',
      guide: 'concepts/plans-and-proof.md',
      async play() {
        const more = { runId: runs.fix, repository: folder('acme/sdk-js'), tag: 'platform-sdk/sdk-js' };
        await stage().publish(allPassing(timedEvents(examples.sdkRun, more)), 22);
        actor('otto').work('Bash');
        return pageAddress.run(runs.fix);
      },
    },
    {
      atSeconds: 164,
      title: 'Proven done, and the next work is ready',
      text: 'The green suite proves the node. The server was signed off, so publishing the SDK becomes ready.',
      guide: 'concepts/plans-and-proof.md',
      async play() {
        await release('platform-sdk/server', 'ada');
        await signOff('platform-sdk/server', 'ruth', 'merged and deployed');
        await release('platform-sdk/sdk-js', 'otto');
        actor('otto').idle();
        return node('platform-sdk/publish-js');
      },
    },
    {
      atSeconds: 178,
      title: 'Submitted: finished but not yet proven',
      text: 'bob has finished the lexer and submits it. It is offered to nobody else while it waits for its proof: here, a sign-off by a person.',
      guide: 'concepts/plans-and-proof.md',
      async play() {
        await handIn('checkout-2/lexer', 'bob', 'split; the old entry point stays until the parser is done');
        return node('checkout-2/lexer');
      },
    },
    {
      atSeconds: 190,
      title: 'An event model turns green',
      text: 'The specifications of the shop run. A slice is verified when its specifications pass; two still lack a verdict.',
      guide: 'guides/event-model.md',
      async play() {
        const more = { runId: runs.shop, repository: folder('acme/shop') };
        await stage().publish(timedEvents(examples.shopRun, more), 28);
        return '/event-model?slice=Place%20an%20order';
      },
    },
  ];
}

function ending({ actor, claim, signOff }: Scene): Beat[] {
  return [
    {
      atSeconds: 216,
      title: 'An agent waits for you',
      text: 'ada took the release and asks for a permission, noor stopped between turns while holding a claim. The start page lists what needs a person, the most urgent first.',
      guide: 'guides/notifications.md',
      async play() {
        await claim('platform-sdk/publish-js', 'ada');
        actor('ada').ask();
        actor('noor').idle();
        return '/';
      },
    },
    {
      atSeconds: 228,
      title: 'A person signs off',
      text: 'ruth has read the lexer that bob submitted, and it is proven. The parser becomes ready, and bob takes it. The story begins again in a moment.',
      guide: 'start.md',
      async play() {
        await signOff('checkout-2/lexer', 'ruth', 'reads well');
        await claim('checkout-2/parser', 'bob');
        return '/plans/checkout-2';
      },
    },
  ];
}
