import { rules } from './rules.ts';

export const runs = [
  ...rules('contract-2 8', {
    'suites:list': 'GET /api/suites lists each suite of a repository with verdict and length of its last 50 runs.',
    'suites:badge':
      'GET /api/suites/badge is a picture of whether the last run of a suite passed, or of its last runs.',
    'tests:history':
      'GET /api/tests lists the verdicts of a test, newest first, with flipRate, failRate, sinceRunId and sinceCommit.',
    'tests:beyond-eject':
      'The history of a test outlives the eject of its runs, a restart, and a line that a crash cut off.',
    'tests:list': 'GET /api/suites/tests lists tests by what they did lately: flaky, failing now, or slowest.',
    'attachments:bounded':
      'Attachments over 2 MiB, and those beyond `Service:AttachmentsMb` of a run, are named without their content.',
    'tests:expected': '`expectedMs` of a scenario and flaky_tests are read off the history.',
  }),
  ...rules('interface §4, contract 8', {
    'ping:answers': 'GET /api/ping answers 200 `{ tool: "signalbox", version }`.',
    'runs:list': 'GET /api/runs lists run summaries, newest start first.',
    'runs:by-tag': 'GET /api/runs with `tag` lists only runs with that tag.',
    'run:detail': 'GET /api/runs/{runId} answers run, scenarios, lanes, recycles, workerFaults, stalls and progress.',
    'export:ctrf-default': 'An export without `format` is CTRF.',
    'export:junit': 'An export with `format=junit` is JUnit XML.',
    'export:ndjson-raw': 'An export with `format=ndjson` is the raw archive, byte for byte.',
    'eject:one': 'DELETE /api/runs/{runId} ejects a run that is not live and answers 204.',
    'eject:many': 'DELETE /api/runs ejects a set and answers the count and the ids that it took.',
    'eject:many-without-query': 'A bulk eject without queries takes every run that is not live.',
    'eject:older-than': 'A bulk eject with `olderThan` takes only runs that started before.',
    'eject:except-run-id': 'A bulk eject leaves the runs named in `exceptRunId`, which may be repeated.',
  }),
  ...rules('interface §3, contract 8', {
    'eject:live-one-409': 'An eject of a live run answers 409 `run_live` and changes nothing.',
    'eject:many-never-live': 'A bulk eject never takes a live run.',
    'eject:moves-archive': 'An ejected archive moves to `runs/ejected/` and is not deleted.',
    'retention:only-age-deletes': 'Only the age policy deletes files.',
  }),
  ...rules('interface §2, contract 8', {
    'archive:one-per-run': 'Each run has one archive `<DataPath>/runs/<runId>.ndjson`.',
  }),
  ...rules('interface §2', {
    'run:touched-types': 'The detail shows the touched types of each scenario.',
  }),
  ...rules('contract 8', {
    'ping:at-once': 'A ping answers at once whatever else is going on.',
    'runs:relayed': 'The run GETs and DELETEs are relayed on 5526 with the same answers.',
    'runs:by-suite': 'GET /api/runs with `suite` lists only runs of that suite.',
    'runs:by-repository': 'GET /api/runs with `repository` matches the root path or the owner/name.',
    'runs:by-state': 'GET /api/runs with `state` lists only runs in that state.',
    'run:unknown-404': 'Detail, export and eject of an unknown run answer 404 `run_not_found`.',
    'export:attachment': 'An export is sent as an attachment.',
    'export:ctrf-valid': 'The CTRF export is valid against the official schema.',
    'export:unknown-format-400': 'An export with another format answers 400 `unknown_format`.',
    'eject:older-than-forms': '`olderThan` is an ISO 8601 instant or a duration such as `7d`, `36h` or `P7D`.',
    'eject:older-than-strict':
      '`olderThan` takes strictly older runs by `startedAt`, and one without a start by `receivedAt`.',
    'eject:bad-older-than-400': 'A bad `olderThan` is a 400 and nothing is ejected.',
    'eject:bad-except-400': 'An `exceptRunId` that cannot be a run id is a 400 and nothing is ejected.',
    'eject:unknown-except': 'An `exceptRunId` of an unknown run excepts nothing.',
    'run:summary-members': 'A run summary has all the members that the contract lists.',
    'run:facts-fold': 'Every event kind of the publishers is folded as the facts of the wire say.',
    'run:live-counts': 'The counts are live before `run_finished`, with `indeterminate` 0.',
    'run:final-counts': 'After `run_finished` the counts are its own figures.',
    'run:skipped-sent': '`skipped` is the figure of `run_finished` where it was sent.',
    'run:skipped-counted':
      'Where `run_finished` has no `skipped` it is counted, and `passed` is the figure sent less that count, not below 0.',
    'run:running-zero-when-ended': '`running` is 0 once the run has ended.',
    'run:lost':
      '`lost` of an ended run is the larger of scenarios and totalScenarios less finished and indeterminate, not below 0.',
    'run:lost-zero-while-running': '`lost` is 0 while the run is running.',
    'run:repository-name':
      '`repositoryName` is the owner/name found at the root path of the publisher, null where none.',
    'run:expected-ms':
      '`expectedMs` is the median duration of the last finished runs of the same repository and suite, or null.',
    'scenario:members': 'A scenario has the members of the facts plus those that the contract adds.',
    'scenario:attempts-history': '`attemptsHistory` holds the earlier attempts only, each with its steps.',
    'scenario:retried-without-verdict':
      'An earlier attempt that was retried without a verdict of its own reads `Failed`.',
    'scenario:step-members': 'Each step shows stepNumber, logs, cells and progress.',
    'scenario:pass-on-retry': 'A pass whose attempt is over 1 is `PassOnRetry`, whatever process it ran in.',
    'scenario:skipped': 'A skipped test has the outcome `Skipped` and is exported as skipped.',
    'export:ctrf-retry-attempts':
      'CTRF `retryAttempts` holds the earlier attempts and the test object is the final one.',
    'export:no-verdict-live':
      'A scenario without a verdict exports as pending in CTRF and skipped in JUnit while its run is live.',
    'export:no-verdict-ended':
      'A scenario without a verdict exports as other in CTRF and error in JUnit once its run has ended.',
    'export:junit-retries': 'JUnit shows retries as `flakyFailure` and `rerunFailure`.',
    'export:junit-worker-faults': 'JUnit shows each worker fault as one extra `testcase` with `error`.',
    'orphan:at-boot': 'An unfinished run is orphaned at boot at once.',
    'eject:twice-keeps-both': 'Ejecting a run id a second time keeps both files.',
    'retention:swept': 'The age policy is swept at boot and every hour.',
    'retention:ended-runs-ejected': 'An archive of an ended run unchanged for `RetentionDays` is ejected.',
    'retention:ejected-deleted-later':
      'An ejected archive is deleted `RetentionDays` after it was ejected, not sooner.',
    'retention:runs-ejects': '`RetentionRuns` ejects and never deletes the oldest ended runs per repository and suite.',
    'retention:runs-when': '`RetentionRuns` is applied at boot and whenever a run ends.',
  }),
  ...rules('contract 2', {
    'retention:defaults': '`RetentionDays` is 14 and `RetentionRuns` is 50 by default.',
    'retention:zero-turns-off': '0 turns a retention policy off.',
  }),
] as const;
