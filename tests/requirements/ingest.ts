import { rules } from './rules.ts';

export const ingest = [
  ...rules('interface §4, contract 9', {
    'ingest:only-way-in': 'POST /api/ingest is the only route by which events enter.',
  }),
  ...rules('interface §4', {
    'ingest:round-trip': 'The two copies of the monitor events survive a round trip through each other unchanged.',
    'publisher:probes-once':
      'A publisher pings once at start with a tight timeout and is a no-op for the run if nothing answers.',
  }),
  ...rules('interface §3', {
    'ingest:recreates-run': 'An event for a run that was ejected creates its entry again.',
  }),
  ...rules('contract 9', {
    'ingest:answer': 'Ingest answers 202 `{ accepted, ignored, rejected: [{ index, message }] }`.',
    'ingest:adds-up': 'Accepted, ignored and rejected add up to the events sent.',
    'ingest:bare-array': 'A bare array of events is taken as a batch.',
    'ingest:empty-object': '`{}` is an empty batch.',
    'ingest:json-but-no-batch': 'JSON that is no batch is a 202 with one rejected.',
    'ingest:not-json-400': 'A body that is no JSON at all is a 400.',
    'ingest:archived-as-it-came':
      'Each accepted or ignored event is appended to its archive with its bytes untouched, one a line.',
    'ingest:line-breaks': 'Each line break between tokens, LF or CRLF, becomes one space in the archive.',
    'ingest:unknown-members-survive': 'Unknown members of an event survive in the archive.',
    'ingest:flushed-before-202': 'Every event of an answered batch survives SIGKILL right after the 202.',
    'ingest:folded-before-202': 'A read right after the 202 shows the events of the batch.',
    'ingest:unwritable-503': 'A batch that cannot be written answers 503 and is not folded.',
    'ingest:unknown-type-ignored': 'An event of unknown type is archived and counted as ignored.',
    'ingest:unknown-type-creates-run': 'An event of unknown type creates its run and is a sign of life.',
    'ingest:missing-members-null': 'Missing members of an event are null.',
    'ingest:numbers-in-strings': 'Numbers in strings are taken.',
    'ingest:bad-event-rejected-alone':
      'An event without usable `runId` or `type`, or with wrongly typed members, is rejected alone and its siblings are kept.',
    'ingest:rejected-still-202': 'A batch with rejected events still answers 202.',
    'fold:idempotent': 'Replaying a batch changes nothing.',
    'fold:split-equals-whole': 'How events are cut into batches does not change the run.',
    'fold:steps-by-attempt-and-number': 'Steps with `attempt` and `stepNumber` are keyed by them.',
    'fold:steps-by-pairing': 'Steps without them are paired by the rule of the facts.',
    'fold:retries-by-next-attempt': 'Retries are keyed by `nextAttempt`.',
    'fold:identical-steps-of-two-attempts': 'Byte-identical step events of two attempts are both kept.',
    'fold:skipped-scenario': 'A `scenario_finished` with outcome `Skipped` is a skipped scenario.',
    'fold:skipped-test': 'A `test_finished` with state `Skipped` is a skipped test.',
    'boot:torn-line-skipped': 'A torn or corrupt archive line is skipped at boot and counted in the log.',
    'boot:replays-archives': 'A boot replays the archives, so that runs survive a restart.',
    'boot:within-seconds': 'A run is listed within seconds of a boot even with thousands of archives on disk.',
  }),
  ...rules('contract 2, contract 9', {
    'orphan:after-silence': 'An unfinished run that is silent for `Service:OrphanSeconds`, 60 by default, is orphaned.',
  }),
  ...rules('contract 8, contract 9', {
    'orphan:brought-back': 'Any later event brings an orphaned run back.',
  }),
  ...rules('interface §1', {
    'publisher:default-address': 'A publisher probes port 5525 of the local machine by default.',
  }),
  ...rules('contract 2', {
    'publisher:beats': 'A publisher sends a heartbeat every 10 s.',
  }),
  ...rules('contract 8, contract 9', {
    'publisher:sends-attempt-and-step-number': 'Our publishers send `attempt` and `stepNumber` with every step event.',
    'publisher:sends-skipped': 'Our publishers send `skipped` with `run_finished`.',
  }),
] as const;
