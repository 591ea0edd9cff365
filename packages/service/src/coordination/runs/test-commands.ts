import { commandFor } from '../../kernel/command.ts';
import { Document } from '../../kernel/document.ts';
import { isRefusal } from '../../kernel/outcome.ts';
import {
  attachmentDeclaration,
  listSuitesDeclaration,
  listTestsDeclaration,
  suiteBadgeDeclaration,
  suiteKey,
  testHistoryDeclaration,
  testKey,
} from '../../run-contract/declarations.ts';
import { suiteBadge } from '../../run-contract/suite-badge.ts';
import { isSuiteFound, type SuiteSummary, suitesOf } from '../../run-contract/suites.ts';
import { age, agedList } from './aged-list.ts';
import type { RunsContext } from './commands.ts';
import { matchesRun } from './pick-run.ts';
import type { RunList, SuiteFilter } from './ports.ts';

const command = commandFor<RunsContext>();

/** The last received run first. */
const suitesAmong = ({ runs }: RunList, filter: SuiteFilter): SuiteSummary[] =>
  suitesOf(
    runs
      .filter((run) => matchesRun(run, filter))
      .sort((a, b) => ((a.receivedAt ?? '') < (b.receivedAt ?? '') ? 1 : -1)),
  );

const listSuites = command({
  ...listSuitesDeclaration,
  gate: 'relay',
  rest: { ...listSuitesDeclaration.rest, headers: age },
  async run({ runs }, { limit, offset, cursor, suite, repository, ...search }) {
    const list = await runs.list();
    const suites = suitesAmong(list, { suite, repository }).filter((one) => isSuiteFound(one, search));
    return agedList(suites, { limit, offset, cursor }, list.ageMs, suiteKey);
  },
});

const getSuiteBadge = command({
  ...suiteBadgeDeclaration,
  gate: 'relay',
  async run({ runs }, { look, ...filter }) {
    const [summary] = suitesAmong(await runs.list(), filter);
    return new Document('image/svg+xml', suiteBadge(filter.suite, summary, look));
  },
});

const listTests = command({
  ...listTestsDeclaration,
  gate: 'relay',
  async run({ runs }, { limit, offset, cursor, order, ...filter }) {
    const tests = await runs.tests(filter, order);
    if (isRefusal(tests)) return tests;
    return agedList(tests, { limit, offset, cursor }, null, testKey);
  },
});

const getTestHistory = command({
  ...testHistoryDeclaration,
  gate: 'relay',
  run: ({ runs }, input) => runs.testHistory(input),
});

const getAttachment = command({
  ...attachmentDeclaration,
  name: 'run_attachment',
  gate: 'relay',
  run: ({ runs }, input) => runs.attachment(input.runId, input.sha256),
});

export const testCommands = [listSuites, getSuiteBadge, listTests, getTestHistory, getAttachment] as const;
