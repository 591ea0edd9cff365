import { atOnce, eachOf, type Steps } from '../../../service/src/kernel/in-turns.ts';
import type { EventModelView } from '../contract.ts';
import { type ElementKind, elementKinds } from '../vocabulary.ts';
import { badge, evidencePaint, paints } from './paint.ts';

/** The board as text that Markdown pages draw themselves: a subgraph a slice, links between slices dotted. */
export const mermaidOf = (model: EventModelView): string => atOnce(mermaidSteps(model));

export function* mermaidSteps(model: EventModelView): Steps<string> {
  const ids = new Map<string, string>();
  for (const slice of model.slices) for (const { id } of slice.elements) ids.set(id, `n${ids.size}`);
  const arrow = (from: string, to: string, line: string): string[] => {
    const [a, b] = [ids.get(from), ids.get(to)];
    return a && b ? [`  ${a} ${line} ${b}`] : [];
  };
  yield;
  const slices = yield* eachOf([...model.slices.entries()], ([index, slice]) =>
    [
      `  subgraph s${index}["${quoted(`${slice.name} (${badge(slice)})`)}"]`,
      ...slice.elements.map(({ id, kind, label }) => `    ${ids.get(id)}["${quoted(label)}"]:::${classOf(kind)}`),
      '  end',
    ].join('\n'),
  );
  const lines = [
    `%% Event Model ${plain(model.name).replace(/[%{}]/g, '')}`,
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

/** Plain words such as `end` or `class` have a meaning of their own in Mermaid. */
const classOf = (kind: ElementKind): string => `em${kind}`;

function classBody(kind: ElementKind): string {
  const { fill, ink, stroke, dash } = paints[kind];
  return `fill:${fill},stroke:${stroke},color:${ink}${dash ? `,stroke-dasharray:${dash}` : ''}`;
}

const plain = (words: string): string => words.replace(/[\s\p{Cc}]+/gu, ' ');

/** Inside quotes Mermaid knows entities written as `#name;`; everything it might read as markup or as a directive becomes one. */
const quoted = (words: string): string =>
  plain(words).replace(/["#%&<>`{}\\]/g, (letter) => `#${letter.codePointAt(0)};`);
