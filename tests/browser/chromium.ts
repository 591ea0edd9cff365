import { type Browser, chromium } from 'playwright-core';
import { installedBrowser } from './find-browser.ts';

export const executablePath = installedBrowser(process.env);
export const advice =
  'No Chromium was found. Type `sudo apt-get install -y chromium`, or name one in the environment variable CHROMIUM.';

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Chromium as every test and measurement uses it: without a window and without a graphics card. */
export async function launch(): Promise<Browser> {
  if (!executablePath) throw new Error(advice);
  return await chromium.launch({ executablePath, args });
}
