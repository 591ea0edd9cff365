import { Document } from '../../../kernel/document.ts';
import { type Refusal, refuse } from '../../../kernel/outcome.ts';
import type { EventModelView } from '../contract.ts';
import { mermaidOf } from './mermaid.ts';
import { svgOf } from './svg.ts';

/** How a format is drawn, or which formats there are. */
export function diagramOf(format: string): Refusal | ((model: EventModelView) => Document) {
  switch (format.toLowerCase()) {
    case 'svg':
      return (model) => new Document('image/svg+xml; charset=utf-8', svgOf(model));
    case 'mermaid':
      return (model) => new Document('text/plain; charset=utf-8', mermaidOf(model));
    default:
      return refuse('unknown_format', `Unknown diagram format ${format}. Use format=svg or format=mermaid.`);
  }
}
