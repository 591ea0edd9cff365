import { executablePath } from './chromium.ts';

/** Real failing tests for Vitest, one of each common kind. */
export const vitestProject = {
  'vitest.config.js': `export default { test: { reporters: ['default', 'signalbox-publisher/vitest'], include: ['tests/*.test.js'] } };`,
  'src/cart.js': `export function cartOf(items) {
  const total = items.reduce((sum, { price }) => sum + price, 0);
  return { id: 7, currency: 'EUR', items, total: total + 1, discount: null, notes: ['gift', 'fragile'] };
}
export function charge() {
  try {
    JSON.parse('{');
  } catch (cause) {
    throw new Error('the card could not be charged', { cause });
  }
}
`,
  'tests/cart.test.js': `import { expect, describe, test } from 'vitest';
import { cartOf, charge } from '../src/cart.js';

const long = (change) => Array.from({ length: 200 }, (_, n) => (n === change ? 'line ' + n + ' is  another' : 'line ' + n)).join('\\n');

describe('cart', () => {
  test('adds up', () => {
    const cart = cartOf([{ name: 'apple', price: 3 }, { name: 'pear', price: 4 }]);
    expect(cart).toEqual({
      total: 7,
      id: 7,
      currency: 'EUR',
      items: [{ name: 'apple', price: 3 }, { name: 'pear', price: 5 }],
      discount: null,
      notes: ['gift'],
    });
  });
  test('prints a receipt', () => {
    expect(long(120)).toBe(long(80));
  });
  test('looks as before', () => {
    expect({ rows: ['apple 3', 'pear 4'], total: 8 }).toMatchSnapshot();
  });
  test('is right in several ways', () => {
    expect.soft('EUR').toBe('USD');
    expect.soft([1, 2, 3]).toEqual([1, 2, 4]);
    expect.soft('a b').toBe('a  b');
  });
  test('is charged', async ({ annotate }) => {
    console.log('charging 7 EUR');
    await annotate('the receipt', { body: 'paid nothing', bodyEncoding: 'utf-8', contentType: 'text/plain' });
    charge();
  });
  test('passes', () => {});
  test.todo('is refunded');
});
`,
  'tests/hooks.test.js': `import { beforeAll, describe, test } from 'vitest';
describe('orders', () => {
  beforeAll(() => {
    throw new Error('the database did not start');
  });
  test('are placed', () => {});
  test('are cancelled', () => {});
});
`,
  'tests/__snapshots__/cart.test.js.snap': `// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html

exports[\`cart > looks as before 1\`] = \`
{
  "rows": [
    "apple 3",
    "pear 4",
  ],
  "total": 7,
}
\`;
`,
};

export const pytestProject = {
  'test_cart.py': `import pytest


def total(items):
    return sum(price for _, price in items) + 1


class TestCart:
    def test_total(self):
        items = [("apple", 3), ("pear", 4)]
        assert total(items) == 7

    def test_passes(self):
        pass


@pytest.fixture
def database():
    raise ConnectionError("the database did not start")


def test_order(database):
    pass
`,
};

/** A page whose heading differs from what the test expects, with a picture of it. */
export const playwrightProject = {
  'playwright.config.js': `export default {
  reporter: [['line'], ['signalbox-publisher/playwright']],
  use: { screenshot: 'only-on-failure', launchOptions: { executablePath: ${JSON.stringify(executablePath ?? '')}, args: ['--no-sandbox'] } },
};`,
  'shop.spec.js': `import { expect, test } from '@playwright/test';
test('the shop greets', async ({ page }) => {
  await test.step('open the shop', async () => {
    await page.setContent('<main style="font: 24px sans-serif; padding: 40px"><h1>Welcome bakc</h1><button>Buy</button></main>');
    await page.getByRole('button', { name: 'Buy' }).click();
  });
  await expect(page.getByRole('heading')).toHaveText('Welcome back', { timeout: 500 });
});
`,
};
