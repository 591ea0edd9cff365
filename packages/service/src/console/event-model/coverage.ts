import type { CoverageView, Descriptor, DriftedType, Slice, TypeRef } from './contract.ts';
import type { Verdicts } from './ports.ts';
import { evidenceOf, isPass } from './slice-evidence.ts';
import { byFullName, distinctTypes, typeIndex } from './types.ts';

/** Which slices the runs verify, and where code and model have drifted apart. */
export function coverageOf(model: Descriptor, verdicts: Verdicts): CoverageView {
  const slices = model.slices.map((slice) => ({
    name: slice.name,
    domain: slice.domain,
    chapter: slice.chapter,
    pattern: slice.pattern,
    evidence: evidenceOf(slice, verdicts),
  }));
  const summary = { slices: slices.length, verified: 0, failing: 0, noEvidence: 0, noSpec: 0 };
  for (const { evidence } of slices) summary[evidence.state] += 1;
  return {
    model: model.name,
    summary,
    slices,
    drift: { undeclared: undeclared(model, verdicts), untouched: untouched(model, verdicts) },
  };
}

/** Types that code touched and that nothing in the model names; `slices` are those whose specifications touched them. */
function undeclared(model: Descriptor, verdicts: Verdicts): DriftedType[] {
  const known = typeIndex<true>();
  for (const type of [...declaredTypes(model), ...resolvedTypes(model)]) known.add(type, true);
  const bound = slicesByIdentity(model);
  const touches: Mention[] = [];
  for (const { identity, touchedTypes } of verdicts.all()) {
    for (const type of touchedTypes ?? []) {
      if (!known.has(type)) touches.push({ type, slices: bound.get(identity) ?? [] });
    }
  }
  return drifted(model, touches);
}

/** Types that slices declare and that no scenario touched on its way to a pass. */
function untouched(model: Descriptor, verdicts: Verdicts): DriftedType[] {
  const touched = typeIndex<true>();
  for (const { outcome, touchedTypes } of verdicts.all()) {
    if (isPass(outcome)) for (const type of distinctTypes(touchedTypes ?? [])) touched.add(type, true);
  }
  const mentions = model.slices.flatMap((slice) =>
    typesOf(slice)
      .filter((type) => !touched.has(type))
      .map((type) => ({ type, slices: [slice.name] })),
  );
  return drifted(model, mentions);
}

type Mention = { type: TypeRef; slices: readonly string[] };

/** One entry per type in the order of full names, its slices in the order of the model. */
function drifted(model: Descriptor, mentions: readonly Mention[]): DriftedType[] {
  const positionOf = new Map(model.slices.map((slice, index) => [slice.name, index]));
  const mentioned = typeIndex<readonly string[]>();
  for (const { type, slices } of mentions) mentioned.add(type, slices);
  const types = distinctTypes(mentions.map(({ type }) => type)).map((type) => {
    const slices = [...new Set(mentioned.of(type).flat())];
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

/** Every type that a slice itself stands for. */
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

const declaredTypes = (model: Descriptor): TypeRef[] => [
  ...model.slices.flatMap(typesOf),
  ...model.aggregates.flatMap((aggregate) => [aggregate.type, ...aggregate.appliedEvents]),
];

const resolvedTypes = (model: Descriptor): TypeRef[] =>
  model.slices.flatMap((slice) => slice.specifications.flatMap((specification) => specification.resolvedTypes));
