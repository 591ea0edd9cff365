import { expect, test } from 'vitest';
import { layOutFixture } from '../agents/session-fixture.ts';
import { inBrowser, openPage, serve } from './browser.ts';

/** In the fixture this session was killed in the middle of a turn. */
const killed = '00000005-0000-4000-8000-000000000005';

inBrowser("a newcomer's first minute", () => {
  test('load the example, find the orphaned claim and why, claim a node, see it on the board', async () => {
    await using sessions = await layOutFixture();
    await using service = await serve({ settings: { SessionsPath: sessions.config } });
    const page = await openPage();
    await page.goto(`${service.url}/plans`);
    await page.getByRole('button', { name: 'Load an example' }).click();
    await page.getByText('Three example plans created').waitFor();

    const ready = await service.call('GET', '/api/plans/ready?unclaimed=true');
    const [orphan, other] = ready.body as { plan: string; id: string; ref: string; title: string }[];
    if (!orphan || !other) throw new Error('the example has fewer than two nodes to take');
    await service.call('POST', `/api/plans/${orphan.plan}/nodes/${orphan.id}/claim`, {
      agent: 'opus-ash',
      session: killed,
    });

    await page.getByRole('link', { name: 'Agents' }).click();
    await page.getByText('Stop cause: killed mid turn').waitFor();
    await page.getByRole('link', { name: orphan.ref }).first().click();
    await page.getByText('Nobody works on this until the lease ends. Cause: killed mid turn.').waitFor();
    expect(await page.getByRole('button', { name: /release/i }).count()).toBe(0);

    await page.getByRole('link', { name: 'Ready work' }).click();
    await page.getByRole('row', { name: new RegExp(other.ref) }).click();
    await page.getByRole('button', { name: 'Claim', exact: true }).click();
    await page.getByLabel('Acting as').fill('newcomer');
    await page.getByRole('dialog').getByRole('button', { name: 'Claim' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Agents' }).click();
    const board = page.getByLabel('Without a tree');
    await board.getByText('newcomer').first().waitFor();
    await board.getByRole('link', { name: other.ref }).first().waitFor();
    await board.getByText(`claimed ${other.ref}`).waitFor();
  });
});
