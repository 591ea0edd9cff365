import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
export const executablePath = places.find((path) => path !== undefined && existsSync(path));
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
