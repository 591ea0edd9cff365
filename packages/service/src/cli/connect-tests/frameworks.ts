import type { ListSetting } from './object-edit.ts';

export const publisherPath = '.signalbox/publisher.mjs';
export const typesPath = '.signalbox/publisher.d.mts';
const relative = `./${publisherPath}`;

export type FrameworkName = 'Vitest' | 'Playwright' | 'Jest' | 'Mocha' | 'Cucumber' | 'node:test';

/** How a framework is recognised, and where its reporters are listed. */
export type Framework = {
  name: FrameworkName;
  /** The package whose name in package.json shows that it is used. */
  uses: string;
  /** The configuration files it looks for, in its own order. */
  files: readonly string[];
  /** The key of package.json that may hold the configuration. */
  packageKey?: string;
  /** The file to create if there is no configuration; null for a key in package.json. */
  fresh: { path: string; text: string } | null;
  setting?: ListSetting;
  /** The first supported version, and what to do with earlier ones. */
  since?: { major: number; instead: string };
};

const endings = (name: string, ...more: string[]) => [...more].map((ending) => `${name}.${ending}`);
const scripts = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'];
const quoted = (quote: string, text: string) => quote + text + quote;
const ours = (quote: string) => quoted(quote, relative);

const vitestList = (quote: string) =>
  `[${quoted(quote, 'default')}, ...(process.env.GITHUB_ACTIONS ? [${quoted(quote, 'github-actions')}] : []), ${ours(quote)}]`;
const playwrightList = (quote: string) =>
  `[[process.env.CI ? ${quoted(quote, 'dot')} : ${quoted(quote, 'list')}], [${ours(quote)}]]`;

export const frameworks: readonly Framework[] = [
  {
    name: 'Vitest',
    uses: 'vitest',
    files: [...endings('vitest.config', ...scripts), ...endings('vite.config', ...scripts)],
    fresh: { path: 'vitest.config.mjs', text: `export default {\n  test: { reporters: ${vitestList("'")} },\n};\n` },
    setting: {
      path: ['test', 'reporters'],
      item: ours,
      missing: vitestList,
      around: { open: '[', close: (quote) => `, ${ours(quote)}]` },
    },
  },
  {
    name: 'Playwright',
    uses: '@playwright/test',
    files: endings('playwright.config', ...scripts),
    fresh: { path: 'playwright.config.mjs', text: `export default {\n  reporter: ${playwrightList("'")},\n};\n` },
    setting: {
      path: ['reporter'],
      item: (quote) => `[${ours(quote)}]`,
      missing: playwrightList,
      around: { open: '[[', close: (quote) => `], [${ours(quote)}]]` },
    },
  },
  {
    name: 'Jest',
    uses: 'jest',
    files: endings('jest.config', 'ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json'),
    packageKey: 'jest',
    fresh: null,
    setting: {
      path: ['reporters'],
      item: (quote) => quoted(quote, `<rootDir>/${publisherPath}`),
      missing: (quote) => `[${quoted(quote, 'default')}, ${quoted(quote, `<rootDir>/${publisherPath}`)}]`,
    },
  },
  {
    name: 'Mocha',
    uses: 'mocha',
    files: endings('.mocharc', 'cjs', 'js', 'mjs', 'yaml', 'yml', 'jsonc', 'json'),
    packageKey: 'mocha',
    fresh: { path: '.mocharc.json', text: `{\n  "reporter": "${relative}"\n}\n` },
  },
  {
    name: 'Cucumber',
    uses: '@cucumber/cucumber',
    files: endings('cucumber', 'js', 'cjs', 'mjs', 'json', 'yaml', 'yml'),
    fresh: { path: 'cucumber.json', text: `{\n  "default": { "plugin": ["${relative}"] }\n}\n` },
    setting: { path: ['plugin'], item: ours, missing: (quote) => `[${ours(quote)}]` },
    since: {
      major: 12,
      instead:
        'it does not support plugins. Upgrade to Cucumber 12, or install signalbox-publisher and add its formatter (docs/guides/cucumber.md).',
    },
  },
];

export const relativePublisher = relative;
