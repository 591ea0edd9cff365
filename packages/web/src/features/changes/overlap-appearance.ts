import { Diamond, Triangle, X } from 'lucide-react';
import type { Overlap } from '../../live/wire.ts';
import type { Appearance } from '../../ui/appearance.tsx';

/** Each kind has its own shape and word in addition to its colour. */
export function overlapAppearance(kind: Overlap['kind'], defaultBranch: string | null): Appearance {
  if (kind === 'same_lines') return { tone: 'fail', label: 'same lines', icon: X };
  if (kind === 'same_file') return { tone: 'warn', label: 'same file', icon: Triangle };
  return { tone: 'orphan', label: `behind ${defaultBranch ?? 'the default branch'}`, icon: Diamond };
}
