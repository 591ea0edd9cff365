import { CircleDashed, FileQuestion } from 'lucide-react';
import type { SliceView } from '../../live/wire.ts';
import { type Appearance, appearances } from '../../ui/appearance.tsx';

export const evidenceAppearance: Record<SliceView['evidence']['state'], Appearance> = {
  verified: { ...appearances.done, label: 'Verified' },
  failing: { ...appearances.failed, label: 'Failing' },
  noEvidence: { tone: 'blocked', label: 'No evidence', icon: CircleDashed },
  noSpec: { tone: 'orphan', label: 'No spec', icon: FileQuestion },
};
