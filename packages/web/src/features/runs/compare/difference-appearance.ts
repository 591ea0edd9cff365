import { CirclePlus, FileX2, Snail, Wrench } from 'lucide-react';
import { type Appearance, appearances } from '../../../ui/appearance.tsx';
import type { DifferenceKind } from './differences.ts';

export const differenceAppearances: Record<DifferenceKind, Appearance> = {
  broken: { ...appearances.failed, label: 'New failure' },
  still: { tone: 'fail', label: 'Still failing', icon: appearances.failed.icon },
  missing: { tone: 'orphan', label: 'Missing', icon: FileX2 },
  slower: { tone: 'warn', label: 'Slower', icon: Snail },
  fixed: { tone: 'done', label: 'Fixed', icon: Wrench },
  added: { tone: 'active', label: 'Added', icon: CirclePlus },
};
