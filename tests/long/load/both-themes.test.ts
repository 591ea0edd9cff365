import { expect, test } from 'vitest';
import { inBrowser } from '../../browser/browser.ts';
import { violationsOnEveryPage } from '../../browser/every-page.ts';

inBrowser('accessibility in every look', () => {
  test('axe finds nothing on any page, dark or light, at three widths and with forced colours', async () => {
    expect(await violationsOnEveryPage('everything')).toEqual({});
  });
});
