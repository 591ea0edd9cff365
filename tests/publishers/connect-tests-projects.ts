import { binOf } from './project.ts';

/** An existing project, and the arguments of Node that run its tests. */
export type PreparedProject = {
  files: Record<string, string>;
  packages: readonly string[];
  args: readonly string[];
  /** The edited file, and the line that must be in it afterwards. */
  edited: readonly [file: string, line: string | RegExp];
};

const manifest = (more: object) => `${JSON.stringify({ name: 'shop', private: true, ...more }, null, 2)}\n`;
const dev = (name: string) => manifest({ type: 'module', devDependencies: { [name]: '*' } });
const vitestTest = "import { expect, test } from 'vitest';\ntest('adds', () => { expect(1 + 1).toBe(2); });\n";
const jestTest = "test('adds', () => { expect(1 + 1).toBe(2); });\n";
const nodeTest = "import test from 'node:test';\ntest('adds', () => {});\n";
const mochaTest = "it('adds', () => {});\n";
const playwrightTest =
  "import { expect, test } from '@playwright/test';\ntest('adds', () => { expect(1 + 1).toBe(2); });\n";
const feature = 'Feature: Cart\n  Scenario: adds\n    Given nothing\n';
const steps = "import { Given } from '@cucumber/cucumber';\nGiven('nothing', () => {});\n";

const vitest = { packages: ['vitest'], args: [binOf('vitest/vitest.mjs'), 'run'] };
const playwright = { packages: ['@playwright/test'], args: [binOf('@playwright/test/cli.js'), 'test'] };
const jest = { packages: ['jest'], args: [binOf('jest/bin/jest.js')] };
const mocha = { packages: ['mocha'], args: [binOf('mocha/bin/mocha.js')] };
const cucumber = { packages: ['@cucumber/cucumber'], args: [binOf('@cucumber/cucumber/bin/cucumber.js')] };

export const preparedProjects: Record<string, PreparedProject> = {
  'Vitest, TypeScript': {
    ...vitest,
    files: {
      'package.json': dev('vitest'),
      'vitest.config.ts': `import { defineConfig } from 'vitest/config';

const files: string[] = ['tests/*.test.ts'];

export default defineConfig({
  test: {
    include: files satisfies readonly string[], // größe
    reporters: process.env.CI ? 'dot' : ['verbose'],
  },
});
`,
      'tests/cart.test.ts': vitestTest,
    },
    edited: [
      'vitest.config.ts',
      "reporters: process.env.CI ? ['dot', './.signalbox/publisher.mjs'] : ['verbose', './.signalbox/publisher.mjs'],",
    ],
  },
  'Vitest in a Vite configuration, JavaScript': {
    ...vitest,
    files: {
      'package.json': dev('vitest'),
      'vite.config.js':
        'export default () => {\r\n\treturn {\r\n\t\ttest: { include: ["*.test.js"] },\r\n\t};\r\n};\r\n',
      'cart.test.js': vitestTest,
    },
    edited: [
      'vite.config.js',
      'test: { reporters: ["default", ...(process.env.GITHUB_ACTIONS ? ["github-actions"] : []), "./.signalbox/publisher.mjs"], include:',
    ],
  },
  'Playwright, TypeScript': {
    ...playwright,
    files: {
      'package.json': dev('@playwright/test'),
      'playwright.config.ts': `import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';

const config: PlaywrightTestConfig = {
  testDir: 'e2e',
  reporter: [
    ['line'],
    ['junit', { outputFile: 'results.xml' }],
  ],
};

export default defineConfig(config);
`,
      'e2e/cart.spec.ts': playwrightTest,
    },
    edited: [
      'playwright.config.ts',
      "['junit', { outputFile: 'results.xml' }],\n    ['./.signalbox/publisher.mjs'],\n",
    ],
  },
  'Playwright, JavaScript': {
    ...playwright,
    files: {
      'package.json': dev('@playwright/test'),
      'playwright.config.mjs': "export default { testDir: 'e2e', reporter: 'dot' };\n",
      'e2e/cart.spec.js': playwrightTest,
    },
    edited: ['playwright.config.mjs', "reporter: [['dot'], ['./.signalbox/publisher.mjs']] };"],
  },
  'Jest, JavaScript': {
    ...jest,
    files: {
      'package.json': manifest({ devDependencies: { jest: '*' } }),
      'jest.config.js':
        "/** @type {import('jest').Config} */\nconst config = {\n  verbose: false,\n};\n\nmodule.exports = config;\n",
      'cart.test.js': jestTest,
    },
    edited: ['jest.config.js', "  reporters: ['default', '<rootDir>/.signalbox/publisher.mjs'],\n  verbose: false,\n"],
  },
  // Jest 30 reads it with Node's own type stripping; ts-node is needed only if Node has none.
  'Jest, TypeScript': {
    ...jest,
    files: {
      'package.json': manifest({ scripts: { test: 'jest' }, devDependencies: { jest: '*' } }),
      'jest.config.ts': `import type { Config } from 'jest';

const config: Config = {
  clearMocks: true,
  testMatch: ['**/*.check.js'] satisfies string[],
  reporters: ['default', ['github-actions', { silent: false }], 'summary'],
};

export default config;
`,
      'cart.check.js': jestTest,
    },
    edited: [
      'jest.config.ts',
      "reporters: ['default', ['github-actions', { silent: false }], 'summary', '<rootDir>/.signalbox/publisher.mjs'],",
    ],
  },
  'Jest, TypeScript as an asynchronous function': {
    ...jest,
    files: {
      'package.json': manifest({ type: 'module', devDependencies: { jest: '*' } }),
      'jest.config.mts':
        "import type { Config } from 'jest';\n\nexport default async (): Promise<Config> => {\n  return {\n    verbose: true,\n  };\n};\n",
      'cart.test.js': jestTest,
    },
    edited: [
      'jest.config.mts',
      "    reporters: ['default', '<rootDir>/.signalbox/publisher.mjs'],\n    verbose: true,\n",
    ],
  },
  'Jest in package.json': {
    ...jest,
    files: {
      'package.json': manifest({ scripts: { test: 'jest' }, jest: { testMatch: ['**/*.check.js'] } }),
      'cart.check.js': jestTest,
    },
    edited: [
      'package.json',
      '"jest": {\n    "reporters": ["default", "<rootDir>/.signalbox/publisher.mjs"],\n    "testMatch"',
    ],
  },
  'node:test in package.json': {
    packages: [],
    files: { 'package.json': manifest({ type: 'module', scripts: { test: 'node --test' } }), 'cart.test.js': nodeTest },
    args: ['--run', 'test'],
    edited: [
      'package.json',
      '"node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=./.signalbox/publisher.mjs --test-reporter-destination=stderr"',
    ],
  },
  'node:test with a reporter of its own': {
    packages: [],
    files: {
      'package.json': manifest({
        type: 'module',
        scripts: { lint: 'node lint.js', test: 'node --test --test-reporter=tap --test-concurrency=2 cart.test.js' },
      }),
      'cart.test.js': nodeTest,
    },
    args: ['--run', 'test'],
    edited: [
      'package.json',
      '--test-reporter=tap --test-reporter-destination=stdout --test-reporter=./.signalbox/publisher.mjs --test-reporter-destination=stderr --test-concurrency=2',
    ],
  },
  'Mocha, YAML': {
    ...mocha,
    files: {
      'package.json': dev('mocha'),
      '.mocharc.yml': '# our tests\nspec: checks/*.js\nreporter: dot # short\n',
      'checks/cart.js': mochaTest,
    },
    edited: [
      '.mocharc.yml',
      /reporter-option:\n {2}- inner=dot\nspec: checks\/\*\.js\nreporter: \.\/\.signalbox\/publisher\.mjs # short\n/,
    ],
  },
  'Mocha in package.json': {
    ...mocha,
    files: { 'package.json': manifest({ mocha: { spec: 'checks/*.cjs' } }), 'checks/cart.cjs': mochaTest },
    edited: ['package.json', '"mocha": {\n    "reporter": "./.signalbox/publisher.mjs",\n    "spec"'],
  },
  'Cucumber, JavaScript': {
    ...cucumber,
    files: {
      'package.json': dev('@cucumber/cucumber'),
      'cucumber.mjs': "export default { import: ['features/*.js'], format: ['progress'] };\n",
      'features/cart.feature': feature,
      'features/steps.js': steps,
    },
    edited: ['cucumber.mjs', "{ plugin: ['./.signalbox/publisher.mjs'], import:"],
  },
  'Cucumber, YAML': {
    ...cucumber,
    files: {
      'package.json': dev('@cucumber/cucumber'),
      'cucumber.yaml': 'default:\n  format:\n    - progress\n',
      'features/cart.feature': feature,
      'features/steps.js': steps,
    },
    edited: ['cucumber.yaml', 'default:\n  plugin:\n    - ./.signalbox/publisher.mjs\n  format:\n'],
  },
};
