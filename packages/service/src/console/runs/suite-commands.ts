import { commandFor } from '../../kernel/command.ts';
import { Document } from '../../kernel/document.ts';
import { listPage } from '../../kernel/list.ts';
import { suiteBadge } from '../../run-contract/suite-badge.ts';
import {
  listSuitesDeclaration,
  listTestsDeclaration,
  suiteBadgeDeclaration,
  suiteKey,
  testHistoryDeclaration,
  testKey,
} from '../../run-contract/suite-declarations.ts';
import type { RunQueries } from './run-queries.ts';

const command = commandFor<{ runs: RunQueries }>();

const listSuites = command({
  ...listSuitesDeclaration,
  gate: 'never',
  run: async ({ runs }, { limit, offset, cursor, ...filter }) =>
    listPage(await runs.suites(filter), { limit, offset, cursor }, (suite) => suite, suiteKey),
});

const getSuiteBadge = command({
  ...suiteBadgeDeclaration,
  gate: 'never',
  async run({ runs }, { suite, repository, look }) {
    const [summary] = await runs.suites({ suite, repository });
    return new Document('image/svg+xml', suiteBadge(suite, summary, look));
  },
});

const listTests = command({
  ...listTestsDeclaration,
  gate: 'never',
  run: async ({ runs }, { limit, offset, cursor, order, ...filter }) =>
    listPage(await runs.tests(filter, order), { limit, offset, cursor }, (test) => test, testKey),
});

const getTestHistory = command({
  ...testHistoryDeclaration,
  gate: 'never',
  run: ({ runs }, input) => runs.testHistory(input),
});

export const suiteCommands = [listSuites, getSuiteBadge, listTests, getTestHistory] as const;
