import { expect, test } from 'vitest';
import { inBrowser } from '../../browser/browser.ts';
import { violationsOnEveryPage } from '../../browser/every-page.ts';

inBrowser('accessibility of both themes', () => {
  test('axe finds nothing on any page, dark or light', async () => {
    expect(await violationsOnEveryPage('both')).toEqual({});
  });
});
