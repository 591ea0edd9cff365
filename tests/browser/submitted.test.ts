import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inBrowser, openPage, serve, violations } from './browser.ts';

const example = (name: string) => readFileSync(new URL(`../../examples/plans/${name}.yaml`, import.meta.url), 'utf8');

/** Two nodes of the example are submitted, by different agents. */
async function servePlans() {
  const service = await serve();
  for (const plan of ['platform-sdk', 'ledger-migration', 'checkout-2'])
    await service.call('PUT', `/api/plans/${plan}`, example(plan), { 'content-type': 'application/yaml' });
  await service.call('POST', '/api/plans/platform-sdk/nodes/contract/sign-off?by=ida', {});
  for (const [ref, agent] of [
    ['checkout-2/nodes/lexer', 'bob'],
    ['platform-sdk/nodes/server', 'ada'],
    ['platform-sdk/nodes/sdk-js', 'eve'],
  ]) {
    await service.call('POST', `/api/plans/${ref}/claim`, { agent });
    await service.call('POST', `/api/plans/${ref}/release`, { agent, outcome: 'submitted', note: 'finished' });
  }
  return service;
}

inBrowser('what is submitted', () => {
  test('it has its own lane on the plan page with holder, time and awaited proof, a card and a filter', async () => {
    await using service = await servePlans();
    const page = await openPage();
    await page.goto(`${service.url}/plans/platform-sdk`);
    const lane = page.getByRole('region', { name: 'Submitted' });
    await lane.getByText('ada').waitFor();
    expect(await lane.getByRole('listitem').count()).toBe(2);
    expect(await lane.innerText()).toMatch(/ada[\s\S]*awaits/);
    await page
      .getByRole('option', { name: /Submitted/ })
      .first()
      .waitFor();
    await lane.getByRole('button').first().click();
    await page
      .getByRole('complementary', { name: /^Node / })
      .getByText('Submitted')
      .first()
      .waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: /Submitted/ }).click();
    await page.getByRole('button', { name: 'Only submitted' }).waitFor();
  });

  test('the plan page shows when the plan would end with a number of agents, and what to split', async () => {
    await using service = await servePlans();
    const page = await openPage();
    await page.goto(`${service.url}/plans/checkout-2`);
    await page.getByText(/done about/).waitFor();
    await page.getByText(/splitting .* saves \d+/).waitFor();
    const asked = page.waitForRequest((request) => request.url().includes('agents=8'));
    await page.getByLabel('Agents in the forecast').selectOption('8');
    await asked;
    await page.getByText(/more agents would not finish sooner/).waitFor();
  });
});
