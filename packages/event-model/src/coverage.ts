import { mapInSteps, runNow, type Task } from '../../service/src/event-loop/task.ts';
import type { CoverageView, Descriptor, DriftedType, Evidence, Slice, TypeRef } from './contract.ts';
import { byFullName, distinctTypes, typeIndex } from './types.ts';
import type { Verdicts } from './verdicts.ts';
import type { EvidenceState, VerdictOutcome } from './vocabulary.ts';

export const isPass = (outcome: VerdictOutcome): boolean => outcome === 'CleanPass' || outcome === 'PassOnRetry';

/** The newest verdict of each specification of a slice, and the state that follows from them. */
export function evidenceOf(slice: Slice, verdicts: Verdicts): Evidence {
  const specifications = slice.specifications.map(({ identity }) => {
    const verdict = verdicts.newest(identity);
    return {
      identity,
      outcome: verdict?.outcome ?? null,
      at: verdict?.at ?? null,
      runId: verdict?.runId ?? null,
    };
  });
  return { state: stateOf(specifications.map(({ outcome }) => outcome)), specifications };
}

function stateOf(outcomes: readonly (VerdictOutcome | null)[]): EvidenceState {
  if (outcomes.length === 0) return 'noSpec';
  if (outcomes.some((outcome) => outcome !== null && !isPass(outcome))) return 'failing';
  return outcomes.includes(null) ? 'noEvidence' : 'verified';
}

/** Which slices the runs verify, and where code and model have drifted apart. */
export const coverageOf = (model: Descriptor, verdicts: Verdicts): CoverageView =>
  runNow(coverageSteps(model, verdicts));

export function* coverageSteps(model: Descriptor, verdicts: Verdicts): Task<CoverageView> {
  const slices = yield* mapInSteps(model.slices, (slice) => ({
    name: slice.name,
    domain: slice.domain,
    chapter: slice.chapter,
    pattern: slice.pattern,
    evidence: evidenceOf(slice, verdicts),
  }));
  const types = yield* mapInSteps(model.slices, (slice) => ({ slice: slice.name, types: typesOf(slice) }));
  const summary = { slices: slices.length, verified: 0, failing: 0, noEvidence: 0, noSpec: 0 };
  for (const { evidence } of slices) summary[evidence.state] += 1;
  return {
    model: model.name,
    summary,
    slices,
    drift: {
      undeclared: yield* undeclared(model, types, verdicts),
      untouched: yield* untouched(model, types, verdicts),
    },
  };
}

/** Types that scenarios touched and the model does not contain, with the slices whose specifications touched them. */
function* undeclared(model: Descriptor, types: readonly SliceTypes[], verdicts: Verdicts): Task<DriftedType[]> {
  const known = typeIndex<true>();
  for (const type of [...types.flatMap((each) => each.types), ...aggregateTypes(model), ...resolvedTypes(model)]) {
    known.add(type, true);
    yield;
  }
  const bound = slicesByIdentity(model);
  const touches: Mention[] = [];
  for (const { identity, touchedTypes } of verdicts.all()) {
    for (const type of touchedTypes ?? []) {
      if (!known.has(type)) touches.push({ type, slices: bound.get(identity) ?? [] });
    }
    yield;
  }
  return yield* drifted(model, touches);
}

/** Types that slices declare and no passing scenario touched. */
function* untouched(model: Descriptor, types: readonly SliceTypes[], verdicts: Verdicts): Task<DriftedType[]> {
  const touched = typeIndex<true>();
  for (const { outcome, touchedTypes } of verdicts.all()) {
    if (isPass(outcome)) for (const type of distinctTypes(touchedTypes ?? [])) touched.add(type, true);
    yield;
  }
  const mentions = types.flatMap(({ slice, types }) =>
    types.filter((type) => !touched.has(type)).map((type) => ({ type, slices: [slice] })),
  );
  return yield* drifted(model, mentions);
}

type SliceTypes = { slice: string; types: readonly TypeRef[] };
type Mention = { type: TypeRef; slices: readonly string[] };

/** One entry per type, sorted by full name; its slices in the order of the model. */
function* drifted(model: Descriptor, mentions: readonly Mention[]): Task<DriftedType[]> {
  const positionOf = new Map(model.slices.map((slice, index) => [slice.name, index]));
  const mentioned = typeIndex<readonly string[]>();
  for (const { type, slices } of mentions) mentioned.add(type, slices);
  yield;
  const distinct = distinctTypes(mentions.map(({ type }) => type));
  yield;
  const types = yield* mapInSteps(distinct, (type) => {
    const slices = [...new Set(mentioned.get(type).flat())];
    return { ...type, slices: slices.sort((a, b) => (positionOf.get(a) ?? 0) - (positionOf.get(b) ?? 0)) };
  });
  return types.sort(byFullName);
}

function slicesByIdentity(model: Descriptor): Map<string, string[]> {
  const bound = new Map<string, string[]>();
  for (const slice of model.slices) {
    for (const { identity } of slice.specifications) {
      const names = bound.get(identity);
      if (names) names.push(slice.name);
      else bound.set(identity, [slice.name]);
    }
  }
  return bound;
}

/** Every type that a slice names, except those that its specifications resolved. */
export function typesOf(slice: Slice): TypeRef[] {
  const single = [slice.triggerType, slice.commandType, slice.handlerType].filter((type) => type !== null);
  const lists = [
    slice.aggregateTypes,
    slice.emittedEvents,
    slice.publishedMessages,
    slice.consumedEvents,
    slice.projectionTypes,
    slice.readModelTypes,
    slice.readsFrom,
  ];
  return distinctTypes([...single, ...lists.flat()]);
}

const aggregateTypes = (model: Descriptor): TypeRef[] =>
  model.aggregates.flatMap((aggregate) => [aggregate.type, ...aggregate.appliedEvents]);

const resolvedTypes = (model: Descriptor): TypeRef[] =>
  model.slices.flatMap((slice) => slice.specifications.flatMap((specification) => specification.resolvedTypes));
