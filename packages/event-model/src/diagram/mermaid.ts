import { mapInSteps, runNow, type Task } from '../../../service/src/event-loop/task.ts';
import type { EventModelView } from '../contract.ts';
import { type ElementKind, elementKinds } from '../vocabulary.ts';
import { badge, evidencePaint, paints } from './paint.ts';

/** The board as Mermaid text: one subgraph per slice, dotted links between slices. */
export const mermaidOf = (model: EventModelView): string => runNow(mermaidSteps(model));

export function* mermaidSteps(model: EventModelView): Task<string> {
  const ids = new Map<string, string>();
  for (const slice of model.slices) for (const { id } of slice.elements) ids.set(id, `n${ids.size}`);
  const arrow = (from: string, to: string, line: string): string[] => {
    const [a, b] = [ids.get(from), ids.get(to)];
    return a && b ? [`  ${a} ${line} ${b}`] : [];
  };
  yield;
  const slices = yield* mapInSteps([...model.slices.entries()], ([index, slice]) =>
    [
      `  subgraph s${index}["${quoted(`${slice.name} (${badge(slice)})`)}"]`,
      ...slice.elements.map(({ id, kind, label }) => `    ${ids.get(id)}["${quoted(label)}"]:::${classOf(kind)}`),
      '  end',
    ].join('\n'),
  );
  const lines = [
    `%% Event Model ${oneLine(model.name).replace(/[%{}]/g, '')}`,
    'flowchart LR',
    ...slices,
    ...model.slices.flatMap((slice) => slice.edges.flatMap(({ fromId, toId }) => arrow(fromId, toId, '-->'))),
    ...model.links.flatMap(({ fromElementId, toElementId }) => arrow(fromElementId, toElementId, '-.->')),
    ...elementKinds.map((kind) => `  classDef ${classOf(kind)} ${classBody(kind)}`),
    ...model.slices.map(
      ({ evidence }, index) => `  style s${index} fill:#F7F8FA,stroke:${evidencePaint[evidence.state]}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** Prefixed, because words such as `end` and `class` are keywords of Mermaid. */
const classOf = (kind: ElementKind): string => `em${kind}`;

function classBody(kind: ElementKind): string {
  const { fill, ink, stroke, dash } = paints[kind];
  return `fill:${fill},stroke:${stroke},color:${ink}${dash ? `,stroke-dasharray:${dash}` : ''}`;
}

const oneLine = (label: string): string => label.replace(/[\s\p{Cc}]+/gu, ' ');

/** Mermaid writes entities as `#code;`. A character that could be markup or part of a directive is replaced by its entity. */
const quoted = (label: string): string =>
  oneLine(label).replace(/["#%&<>`{}\\]/g, (letter) => `#${letter.codePointAt(0)};`);
