import { CircleDashed, FileQuestion } from 'lucide-react';
import type { SliceView } from '../../live/wire.ts';
import { type Look, looks } from '../../ui/tone.tsx';

export const evidenceLook: Record<SliceView['evidence']['state'], Look> = {
  verified: { ...looks.done, label: 'Verified' },
  failing: { ...looks.failed, label: 'Failing' },
  noEvidence: { tone: 'blocked', label: 'No evidence', icon: CircleDashed },
  noSpec: { tone: 'orphan', label: 'No spec', icon: FileQuestion },
};
