import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { installedBrowser } from './find-browser.ts';

export const executablePath = installedBrowser(process.env);
export const advice =
  'No Chromium was found. Type `sudo apt-get install -y chromium`, or name one in the environment variable CHROMIUM.';

/** Our list replaces Playwright's, so the relevant features of that list are repeated here. */
const withoutFeatures = [
  // Two of the browser's own pages, loaded again with every window, for an address field that nobody sees.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'SpareRendererForSitePerProcess',
  'ThirdPartyStoragePartitioning',
];

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${withoutFeatures}`,
];

/** Chromium for every test and measurement: without a window and without a graphics card. */
export async function launch(options: LaunchOptions = {}): Promise<Browser> {
  if (!executablePath) throw new Error(advice);
  return await chromium.launch({ executablePath, args, ...options });
}
