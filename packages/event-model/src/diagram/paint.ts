import type { SliceView } from '../contract.ts';
import type { ElementKind, EvidenceState } from '../vocabulary.ts';

export type Paint = { fill: string; ink: string; stroke: string; dash?: string };

const dark = '#0B1F33';
const onLight = '#1F2933';

/** The published colours of Event Modeling's sticky notes. */
export const paints: Record<ElementKind, Paint> = {
  Trigger: { fill: '#FFFFFF', ink: onLight, stroke: '#9AA5B1' },
  Command: { fill: '#5B9BD5', ink: dark, stroke: '#5B9BD5' },
  Handler: { fill: '#5B9BD5', ink: dark, stroke: '#1F4E79' },
  Message: { fill: '#5B9BD5', ink: dark, stroke: '#1F4E79', dash: '6 4' },
  Aggregate: { fill: '#FFF2A8', ink: onLight, stroke: '#E3D27A' },
  Event: { fill: '#F5A623', ink: dark, stroke: '#F5A623' },
  Projection: { fill: '#7ED321', ink: dark, stroke: '#3E7A0E' },
  ReadModel: { fill: '#7ED321', ink: dark, stroke: '#7ED321' },
  ExternalSystem: { fill: '#F8BBD0', ink: dark, stroke: '#F8BBD0' },
  Hotspot: { fill: '#E91E63', ink: dark, stroke: '#E91E63' },
};

export const evidencePaint: Record<EvidenceState, string> = {
  verified: '#2E9E5B',
  failing: '#D64541',
  noEvidence: '#6B7686',
  noSpec: '#C4740A',
};

const stateLabels: Record<EvidenceState, string> = {
  verified: 'verified',
  failing: 'failing',
  noEvidence: 'no evidence',
  noSpec: 'no spec',
};

/** The badge of a slice: `3 specs, failing`. */
export function badge({ evidence }: Pick<SliceView, 'evidence'>): string {
  const count = evidence.specifications.length;
  if (count === 0) return stateLabels.noSpec;
  return `${count} ${count === 1 ? 'spec' : 'specs'}, ${stateLabels[evidence.state]}`;
}

/** The trigger of a slice: `POST`, `Human`, `JobScheduler`. */
export const startLabel = (slice: SliceView): string | null => slice.triggerOrigin?.httpMethod ?? slice.triggerKind;
