import { expect, test } from 'vitest';
import { openReceiver } from '../notify/receiver.ts';
import { bearer } from '../tokens.ts';
import { inBrowser, openPage, serve } from './browser.ts';

const operator = 'the-token-of-the-operator';
const pictures = process.env.SIGNALBOX_PICTURES;

async function prepared() {
  const service = await serve({ settings: { Token: operator } });
  const call = (method: string, path: string, body?: unknown) => service.call(method, path, body, bearer(operator));
  const named = async (name: string, scope: string): Promise<string> =>
    (await call('POST', '/api/tokens', { name, scopes: [scope], expires: '90d' })).body.token;
  const nodes = [{ id: 'cart', title: 'The cart', binding: { kind: 'signOff' } }];
  await call('POST', '/api/plans', { plan: 'shop', title: 'The shop', nodes });
  return Object.assign(service, { named });
}

async function logIn(url: string, token: string) {
  const page = await openPage();
  await page.goto(url);
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Open' }).click();
  return page;
}

inBrowser('names and scopes', () => {
  test('a reader sees their name, and why each forbidden action is disabled', async () => {
    await using service = await prepared();
    const page = await logIn(`${service.url}/plans/shop?node=cart`, await service.named('eve', 'read'));
    await page.getByText('eve', { exact: true }).waitFor();
    const claim = page.getByRole('button', { name: 'Claim', exact: true });
    await claim.waitFor();
    await expect.poll(() => claim.isDisabled()).toBe(true);
    expect(await claim.getAttribute('title')).toBe('This needs the work scope. You are eve, with read.');
    expect(await page.getByRole('button', { name: 'Sign off' }).getAttribute('title')).toContain('the author scope');
    expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0);
    if (pictures) await page.screenshot({ path: `${pictures}/reader.png` });
  });

  test('an admin sees deliveries to webhooks, and sends one again', async () => {
    await using receiver = await openReceiver();
    receiver.answers(503);
    const Webhooks = JSON.stringify([{ url: receiver.url, name: 'ci', events: ['node_ready', 'node_done'] }]);
    await using service = await serve({ settings: { Webhooks } });
    const nodes = [
      { id: 'cart', title: 'The cart', binding: { kind: 'signOff' } },
      { id: 'pay', dependsOn: ['cart'] },
    ];
    await service.call('POST', '/api/plans', { plan: 'shop', title: 'The shop', nodes });
    await service.call('POST', '/api/plans/shop/nodes/cart/sign-off?by=eve', {});
    const page = await openPage();
    await page.goto(`${service.url}/webhooks`);
    await page.getByText('failing: answered 503').waitFor();
    const delivery = page
      .getByRole('table', { name: 'Deliveries' })
      .getByRole('row', { name: /node_ready shop\/cart/ });
    await delivery.getByText('waiting: answered 503').waitFor();
    if (pictures) await page.screenshot({ path: `${pictures}/webhooks.png` });
    receiver.answers(204);
    await delivery.getByRole('button', { name: 'Redeliver' }).click();
    await delivery.getByText('delivered').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('ci accepted a test (204)').waitFor();
    await page.getByRole('link', { name: 'shop/cart' }).first().click();
    await page.getByText('The cart').first().waitFor();
  });

  test('an admin sees and revokes tokens, and reads the audit', async () => {
    await using service = await prepared();
    await service.named('ci', 'publish');
    await service.call('GET', '/api/plans');
    const publish = { events: [{ type: 'run_started', runId: 'r1', suite: 'unit' }] };
    await service.console('POST', '/api/ingest', publish, bearer(await service.named('nightly', 'publish')));
    const page = await logIn(`${service.url}/tokens`, operator);
    const row = page.getByRole('row', { name: /^ci / });
    await row.waitFor();
    if (pictures) await page.screenshot({ path: `${pictures}/tokens.png` });
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Ada');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText('must be 1 to 64 lower case letters').first().waitFor();
    await page.getByLabel('Name', { exact: true }).fill('ada');
    await page.getByLabel('May').selectOption('author');
    await page.getByRole('button', { name: 'Create token' }).click();
    const secret = await page.getByRole('dialog', { name: 'Token ada' }).locator('code').textContent();
    expect((await service.call('GET', '/api/me', undefined, bearer(secret ?? ''))).body).toMatchObject({
      name: 'ada',
      scopes: ['read', 'work', 'author'],
    });
    await page.getByRole('button', { name: 'Copy token' }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /^ada author/ }).waitFor();
    expect(await page.getByText(secret ?? '').count()).toBe(0);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // J and K move through the rows, Escape leaves them, Enter activates the button of the row.
    const focusedRow = page.locator('[role="row"]:focus');
    await page.keyboard.press('j');
    await focusedRow.waitFor();
    await page.keyboard.press('Escape');
    await focusedRow.waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await focusedRow.waitFor();
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog', { name: /^Revoke/ })
      .getByRole('button', { name: 'Cancel' })
      .click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('row', { name: /operator .* revoke_token ci done/ }).waitFor();
    if (pictures) await page.screenshot({ path: `${pictures}/audit.png` });
    await page.getByRole('button', { name: 'Denied only' }).click();
    await page.getByRole('row', { name: /anonymous .* list_plans token_required/ }).waitFor();
    await page.goto(`${service.url}/runs/r1`);
    await page.getByText('nightly', { exact: true }).waitFor();
    if (pictures) await page.screenshot({ path: `${pictures}/run.png` });
  });
});
