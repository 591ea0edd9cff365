import { expect, test } from 'vitest';
import { bearer, operatorToken } from '../tokens.ts';
import { inBrowser, openPage, serve } from './browser.ts';

/** A service with an operator, where people log in with their own tokens. */
async function team() {
  const service = await serve({ settings: { Token: operatorToken } });
  const call = (method: string, path: string, body?: unknown, token = operatorToken) =>
    service.call(method, path, body, bearer(token));
  const named = async (name: string, scope: string): Promise<string> =>
    (await call('POST', '/api/tokens', { name, scopes: [scope] })).body.token;
  const logIn = async (path: string, token: string) => {
    const page = await openPage();
    await page.goto(`${service.url}${path}`);
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Open' }).click();
    return page;
  };
  return { service, as: call, named, logIn, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

const nodes = [
  { id: 'cart', title: 'Cart' },
  { id: 'release', title: 'Release', binding: { kind: 'signOff', who: 'ida' } },
  { id: 'audit', title: 'Audit', binding: { kind: 'signOff', who: 'lena' } },
];

inBrowser('a team on the page', () => {
  test('revoking a token lists its claims, and releases them', async () => {
    await using on = await team();
    const [ida, pat] = [await on.named('ida', 'admin'), await on.named('pat', 'work')];
    await on.as('POST', '/api/plans', { plan: 'shop', nodes });
    await on.as('POST', '/api/plans/shop/nodes/cart/claim', { agent: 'pat/one', leaseMinutes: 1440 }, pat);
    const page = await on.logIn('/tokens', ida);
    await page.getByRole('row', { name: /pat/ }).getByRole('button', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByText('shop/cart').waitFor();
    await dialog.getByRole('button', { name: /^Release/ }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await on.as('GET', '/api/plans/shop/nodes/cart');
    expect(body).toMatchObject({ claim: null, lastClaim: { agent: 'pat/one' } });
  });

  test('what waits for the person who looks comes first, and only that is counted beside the menu', async () => {
    await using on = await team();
    const ida = await on.named('ida', 'author');
    await on.as('POST', '/api/plans', { plan: 'shop', nodes });
    const page = await on.logIn('/', ida);
    await page.getByRole('heading', { name: 'For me' }).waitFor();
    const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
    expect(headings.indexOf('For me')).toBeLessThan(headings.indexOf('For others'));
    const rows = await page
      .getByRole('main')
      .getByRole('link', { name: /^(Release|Audit)$/ })
      .allTextContents();
    expect(rows).toEqual(['Release', 'Audit']);
    expect(
      await page
        .getByRole('link', { name: /^Needs you/ })
        .first()
        .innerText(),
    ).toMatch(/\b1 !$/);
  });

  test('an archived plan is restored on its page', async () => {
    await using service = await serve();
    await service.call('POST', '/api/plans', { plan: 'shop', title: 'The shop', nodes });
    await service.call('DELETE', '/api/plans/shop');
    const page = await openPage();
    await page.goto(`${service.url}/plans/shop`);
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The shop is restored').waitFor();
    await page.getByRole('button', { name: 'Add node' }).waitFor();
    const { body } = await service.call('GET', '/api/plans/shop');
    expect([body.archived, body.nodes.length]).toEqual([false, 3]);
  });

  test('a repository is registered with its clones, and gets a note, on its page', async () => {
    await using service = await serve();
    await service.call('POST', '/api/plans', { plan: 'shop', repository: 'acme/shop', nodes });
    const page = await openPage();
    await page.goto(`${service.url}/repositories/acme/shop`);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByLabel('Local clones').fill('relative');
    await page.getByLabel('Acting as').fill('ada');
    await page.getByRole('dialog').getByRole('button', { name: 'Register' }).click();
    await page.getByText('must be an absolute path, such as /home/ada/shop', { exact: true }).waitFor();
    await page.getByLabel('Local clones').fill('/src/shop\n/src/other');
    await page.getByRole('dialog').getByRole('button', { name: 'Register' }).click();
    await page.getByText('acme/shop is registered').waitFor();
    await page.getByRole('button', { name: 'Add a note' }).click();
    await page.getByLabel('Note', { exact: true }).fill('Run the generator first');
    await page.getByRole('dialog').getByRole('button', { name: 'Add a note' }).click();
    await page.getByRole('listitem').getByText('Run the generator first').waitFor();
    const { body } = await service.call('GET', '/api/repositories/acme/shop');
    expect(body).toMatchObject({ paths: ['/src/shop', '/src/other'], notes: [{ by: 'ada' }] });
  });
});
