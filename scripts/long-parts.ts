/** One part of `npm run test:long`. */
export type LongPart = {
  /** Its purpose, one line in the help and in `docs/faults.md`. */
  shows: string;
  /** Folders or files for Vitest, or a separate script. */
  run: { vitest: readonly string[] } | { script: string; short: readonly string[]; whole: readonly string[] };
  /** After a change below one of these, `.ci/run` runs its short form. */
  sources: readonly string[];
};

const src = 'packages/service/src';

export const longParts: Record<string, LongPart> = {
  loop: {
    shows: 'no request, file or batch within the limits blocks the event loop for long',
    run: { vitest: ['tests/long/loop'] },
    sources: [`${src}/edge`, `${src}/kernel`, `${src}/event-loop`, `${src}/console`, `${src}/coordination/plans`],
  },
  fuzz: {
    shows: 'requests of a grammar and long texts, mutated, meet no fault',
    run: { vitest: ['tests/long/fuzz'] },
    sources: [`${src}/edge`, `${src}/kernel`, `${src}/console`, `${src}/coordination`],
  },
  kills: {
    shows: 'SIGKILL at random moments loses nothing that was answered',
    run: { vitest: ['tests/long/kills'] },
    sources: [`${src}/store`, `${src}/files`, `${src}/client`, `${src}/coordination/claims`, `${src}/console/runs`],
  },
  disk: {
    shows: 'power cuts, failing and full disks lose nothing that was answered',
    run: { vitest: ['tests/long/disk'] },
    sources: [`${src}/store`, `${src}/files`, `${src}/console/runs`],
  },
  rounds: {
    shows: 'simulated stories, flipped bits and attacks of the gate, many more of them',
    run: {
      vitest: [
        'tests/simulation',
        'tests/faults',
        'tests/attacks',
        'tests/agents/two-programs',
        'tests/observers/stories',
        'tests/console/run-store',
        'tests/store/archived-plans',
        'tests/keeping/damaged-backups',
      ],
    },
    sources: [],
  },
  upgrade: {
    shows: 'a year of each release, written as it wrote it, is served as it served it',
    run: { vitest: ['tests/long/upgrade'] },
    // Builds earlier releases from the history, which a checkout of one commit does not have.
    sources: [],
  },
  hosts: {
    shows: 'several hosts on one PostgreSQL that is restored, replaced and cut off',
    run: { vitest: ['tests/long/hosts', 'tests/hosts/clocks-apart', 'tests/hosts/a-day'] },
    sources: [`${src}/store/postgres`, `${src}/coordination/hosts`],
  },
  load: {
    shows: 'races, what publishers cost, and how soon the page knows',
    run: { vitest: ['tests/long/load', 'tests/publishers/connect-tests.test.ts'] },
    sources: [
      'packages/publisher',
      'packages/web/src/live',
      `${src}/edge/hub`,
      `${src}/observer`,
      `${src}/coordination/observers`,
    ],
  },
  planted: {
    shows: 'bugs planted into the sources are found by the tests above',
    run: { vitest: ['tests/long/planted'] },
    sources: [],
  },
  agents: {
    shows: 'the real agent programs against a scripted model',
    run: { vitest: ['--config', 'tests/long/agents/vitest.config.ts'] },
    sources: [
      `${src}/coordination/agents`,
      `${src}/coordination/observers`,
      `${src}/observer`,
      `${src}/cli/connect`,
      `${src}/edge/mcp.ts`,
      `${src}/edge/mcp-tools.ts`,
    ],
  },
  runners: {
    shows: 'every installed runner of another language, compared with its own report test by test',
    run: { vitest: ['tests/long/runners'] },
    sources: [`${src}/cli/run`, `${src}/cli/import`, 'packages/publisher/python', 'packages/publisher/ruby'],
  },
  generators: {
    shows: 'clients that generators make of the OpenAPI documents pass the work loop; linters find no error',
    run: { vitest: ['tests/long/generators'] },
    // Installs half a dozen generators and linters; the gate has one client that knows only the document.
    sources: [],
  },
  versions: {
    shows: 'every publisher with every supported version of its test runner',
    run: { script: 'scripts/test-suites.ts', short: ['--short'], whole: [] },
    sources: ['packages/publisher'],
  },
};
