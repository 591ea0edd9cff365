import { Document } from '../../../kernel/document.ts';
import type { Steps } from '../../../kernel/in-turns.ts';
import { type Refusal, refuse } from '../../../kernel/outcome.ts';
import type { EventModelView } from '../contract.ts';
import { mermaidSteps } from './mermaid.ts';
import { svgSteps } from './svg.ts';

/** How a format is drawn, or which formats there are. */
export function diagramOf(format: string): Refusal | ((model: EventModelView) => Steps<Document>) {
  switch (format.toLowerCase()) {
    case 'svg':
      return function* draw(model) {
        return new Document('image/svg+xml; charset=utf-8', yield* svgSteps(model));
      };
    case 'mermaid':
      return function* write(model) {
        return new Document('text/plain; charset=utf-8', yield* mermaidSteps(model));
      };
    default:
      return refuse('unknown_format', `Unknown diagram format ${format}. Use format=svg or format=mermaid.`);
  }
}
