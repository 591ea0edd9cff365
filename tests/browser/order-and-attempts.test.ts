import { expect, test } from 'vitest';
import { inBrowser, openPage, serve } from './browser.ts';

inBrowser('order and attempts', () => {
  test('what failed too often is parked with its last notes, and a person resets it and makes it urgent', async () => {
    await using service = await serve();
    const binding = { kind: 'signOff' };
    const nodes = [
      { id: 'lexer', title: 'Lex it', binding, maxAttempts: 1, priority: 'high' },
      { id: 'parser', title: 'Parse it', binding },
    ];
    await service.call('POST', '/api/plans', { plan: 'shop', nodes });
    const at = '/api/plans/shop/nodes/lexer';
    await service.call('POST', `${at}/claim`, { agent: 'ada' });
    await service.call('POST', `${at}/release`, { agent: 'ada', outcome: 'failed', note: 'the API is gone' });
    const page = await openPage();
    await page.goto(`${service.url}/ready?node=shop/lexer`);
    // A parked node comes last, although its priority is high.
    await expect.poll(() => page.getByRole('row', { name: /Lex it|Parse it/ }).allInnerTexts()).toHaveLength(2);
    expect(
      await page
        .getByRole('row', { name: /Lex it|Parse it/ })
        .nth(1)
        .innerText(),
    ).toMatch(/Lex it\s+high\s+parked/);
    await page.getByText('“the API is gone”').first().waitFor();
    await page.getByRole('button', { name: 'Reset attempts' }).click();
    await expect.poll(async () => (await service.call('GET', at)).body.attempts.failed).toBe(0);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    expect(await page.getByLabel('Priority').inputValue()).toBe('high');
    expect(await page.getByLabel('Attempts').inputValue()).toBe('1');
    await page.getByLabel('Priority').selectOption('urgent');
    await page.getByLabel('Attempts').fill('');
    await page.getByLabel('Budget, tokens').fill('50000');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await service.call('GET', at)).body)
      .toMatchObject({ priority: 'urgent', attempts: { limit: 5 }, budget: { tokens: 50_000 } });
    await page.goto(`${service.url}/plans/shop`);
    await page.getByRole('button', { name: 'Edit the plan' }).click();
    await page.getByLabel('Claims at once').fill('2');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await service.call('GET', '/api/plans/shop')).body.maxClaims).toBe(2);
    expect(page.complaints).toEqual([]);
  });
});
