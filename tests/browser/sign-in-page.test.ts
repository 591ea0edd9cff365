import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { startProvider } from '../oidc/provider.ts';
import { signIn, startWithPeople } from '../oidc/signed-in.ts';
import { inBrowser, openPage, violations } from './browser.ts';

const pictures = process.env.SIGNALBOX_PICTURES;

async function prepared() {
  const provider = await startProvider({ form: true });
  const service = await startWithPeople(provider, { clock: systemClock });
  return { provider, service };
}

inBrowser('signing in at the provider', () => {
  test('a person signs in, acts under their name, sees forbidden actions, and signs out', async () => {
    const { provider, service } = await prepared();
    await using _ = provider;
    await using __ = service;
    const nodes = [{ id: 'cart', title: 'The cart', binding: { kind: 'signOff' } }];
    const operator = { authorization: 'Bearer the-token-of-the-operator' };
    await service.call('POST', '/api/plans', { plan: 'shop', title: 'The shop', nodes }, operator);
    const page = await openPage();
    const picture = async (name: string) => {
      if (!pictures) return;
      for (const width of [1440, 390])
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          await page.screenshot({ path: `${pictures}/${name}-${width}-${colorScheme}.png` });
        }
      await page.setViewportSize({ width: 1440, height: 900 });
    };
    await page.goto(`${service.url}/plans/shop?node=cart`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await picture('sign-in');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('User').fill('ada');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${service.url}/plans/shop?node=cart`);
    await page.getByText('ada@example.com', { exact: true }).first().waitFor();
    // None of it is where a script of the page could read it.
    expect(
      await page.evaluate('document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)'),
    ).not.toMatch(/signalbox_login|ey[A-Za-z0-9]/);
    const signOff = page.getByRole('button', { name: 'Sign off' });
    await signOff.waitFor();
    await expect.poll(() => signOff.isDisabled()).toBe(true);
    expect(await signOff.getAttribute('title')).toBe(
      'This needs the author scope. You are ada@example.com, with read, work.',
    );
    await page.getByRole('button', { name: 'Claim', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Claim' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect
      .poll(async () => (await service.call('GET', '/api/plans/shop/nodes/cart', undefined, operator)).text)
      .toContain('"claimedBy":"ada@example.com"');
    await page
      .getByRole('button', { name: /ada@example\.com/ })
      .first()
      .click();
    const who = page.getByRole('dialog', { name: 'Who you are' });
    await who.getByText(`signed in at ${new URL(provider.issuer).host}`).waitFor();
    await who.getByText('Your scopes: read, work.').waitFor();
    expect(await violations(page)).toEqual([]);
    await picture('signed-in');
    await who.getByRole('button', { name: 'Sign out' }).click();
    // The provider asks whether its own session should end too.
    await page.getByRole('button', { name: /yes/i }).click();
    await page.waitForURL(`${service.url}/`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  test('a person without a group sees which group is needed', async () => {
    const { provider, service } = await prepared();
    await using _ = provider;
    await using __ = service;
    const page = await openPage();
    await page.goto(service.url);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('User').fill('eve');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Ask to be added to one of these: eng (work), leads (author), ops (admin).').waitFor();
    if (pictures) await page.screenshot({ path: `${pictures}/sign-in-refused.png` });
  });

  test('a person who is removed at the provider is asked to sign in again, with the page still there', async () => {
    await using provider = await startProvider();
    await using service = await startWithPeople(provider);
    const ada = await signIn(service, provider, 'ada');
    const page = await openPage();
    const cookies = [...ada.jar].map(([name, value]) => ({ name, value, url: service.url }));
    await page.context().addCookies(cookies);
    await page.goto(`${service.url}/plans`);
    await page.getByText('ada@example.com', { exact: true }).first().waitFor();
    provider.people.delete('ada');
    for (const step of [4 * 60_000, 5 * 60_000, 500]) {
      service.clock.advance(step);
      await service.clock.tick();
    }
    await page.getByRole('dialog', { name: 'Sign in' }).getByRole('button', { name: 'Sign in' }).waitFor();
  });
});
