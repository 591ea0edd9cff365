import type { EventOf } from './events.ts';
import { current, scenarioOf } from './fold-scenarios.ts';
import type { Lane, Run } from './run.ts';

type InLane = { lane: number; participant?: string | null };

const laneNumberOrNull = (
  run: Run,
  { lane, participant = null }: { lane?: number | null; participant?: string | null },
): number | null => (lane == null ? null : laneNumber(run, { lane, participant }));

/** Every participant counts its lanes from 0; a number that another one already uses is replaced. */
function laneNumber(run: Run, { lane, participant }: InLane): number {
  const key = `${participant ?? ''}\n${lane}`;
  const known = run.laneNumbers.get(key);
  if (known !== undefined) return known;
  const taken = new Set(run.laneNumbers.values());
  let number = lane;
  while (taken.has(number)) number = Math.max(number, taken.size - 1) + 1;
  run.laneNumbers.set(key, number);
  return number;
}

function laneOf(run: Run, event: InLane, at: string | null): Lane {
  const number = laneNumber(run, event);
  let lane = run.lanes.get(number);
  if (!lane) {
    lane = {
      lane: number,
      participant: event.participant ?? null,
      status: 'running',
      passes: 0,
      uids: [],
      startedAt: at,
      finishedAt: null,
      outcomes: null,
      processId: null,
      purpose: null,
    };
    run.lanes.set(number, lane);
  }
  return lane;
}

const before = (a: string | null, b: string | null): boolean => a !== null && b !== null && a < b;

/** A pass that is not newer than the known one is a repetition. */
export function startLane(run: Run, event: EventOf<'lane_started'>): void {
  const at = event.at ?? null;
  const lane = laneOf(run, event, at);
  const uids = event.uids ?? [];
  if (lane.passes > 0) {
    if (before(at, lane.startedAt)) return;
    if (at === lane.startedAt) {
      lane.uids = uids;
      assignScenarios(run, lane);
      return;
    }
  }
  lane.status = 'running';
  lane.uids = uids;
  lane.passes += 1;
  lane.startedAt = at;
  lane.finishedAt = null;
  lane.outcomes = null;
  assignScenarios(run, lane);
}

/** Assigns scenarios to the lane; one that began before its lane was reported gets it here. */
function assignScenarios(run: Run, { lane, uids, startedAt }: Lane): void {
  for (const uid of uids) {
    const known = run.laneByScenario.get(uid);
    const since = known === undefined ? null : (run.lanes.get(known)?.startedAt ?? null);
    if (!before(startedAt, since)) run.laneByScenario.set(uid, lane);
    if (run.scenarios.has(uid)) current(scenarioOf(run, uid)).lane ??= lane;
  }
}

export function finishLane(run: Run, event: EventOf<'lane_finished'>): void {
  const at = event.at ?? null;
  const lane = laneOf(run, event, at);
  if (before(at, lane.startedAt)) return;
  if (lane.passes === 0) lane.passes = 1;
  lane.status = event.crashed ? 'crashed' : 'finished';
  lane.finishedAt = at;
  lane.outcomes = event.outcomes ?? null;
}

export function startWorker(run: Run, event: EventOf<'worker_started'>): void {
  const { lane: number, participant = null } = event;
  if (number === undefined || number === null) return;
  const lane = laneOf(run, { lane: number, participant }, event.at ?? null);
  if (event.processId != null) lane.processId = event.processId;
  if (event.purpose != null) lane.purpose = event.purpose;
}

export function recordRecycle(run: Run, { resource, at = null }: EventOf<'resource_recycled'>): void {
  const name = resource ?? '';
  if (run.recycles.some((known) => known.resource === name && known.at === at)) return;
  run.recycles.push({ resource: name, at });
}

export function recordFault(run: Run, event: EventOf<'worker_faulted'>): void {
  const { exitCode = null, standardError = null, at = null, participant = null } = event;
  const lane = laneNumberOrNull(run, event);
  const message = event.fault ?? 'worker fault';
  if (run.workerFaults.some((known) => known.at === at && known.lane === lane && known.fault === message)) return;
  run.workerFaults.push({ lane, fault: message, exitCode, standardError, at, participant });
}

export function recordStall(run: Run, event: EventOf<'test_stalled'>): void {
  const { processId = null, at = null, participant = null } = event;
  const lane = laneNumberOrNull(run, event);
  const uid = event.uid;
  if (run.stalls.some((known) => known.uid === uid && known.at === at)) return;
  run.stalls.push({
    uid,
    displayName: event.displayName ?? uid,
    inFlightMs: event.inFlightMs ?? 0,
    lane,
    processId,
    at,
    participant,
  });
}

/** The newest progress wins; an older one is ignored. */
export function recordProgress(run: Run, event: EventOf<'run_progress'>): void {
  const elapsedMs = event.elapsedMs ?? 0;
  if (run.progress && run.progress.elapsedMs > elapsedMs) return;
  run.progress = {
    elapsedMs,
    completed: event.completed ?? null,
    total: event.total ?? null,
    inFlight: event.inFlight ?? null,
    longestRunningUid: event.longestRunningUid ?? null,
    longestRunningDisplayName: event.longestRunningDisplayName ?? null,
    longestRunningMs: event.longestRunningMs ?? null,
    peakWorkerRssBytes: event.peakWorkerRssBytes ?? null,
    at: event.at ?? null,
  };
}
