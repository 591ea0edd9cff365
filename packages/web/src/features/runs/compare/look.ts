import { CirclePlus, FileX2, Snail, Wrench } from 'lucide-react';
import { type Look, looks } from '../../../ui/tone.tsx';
import type { Kind } from './differences.ts';

export const kindLooks: Record<Kind, Look> = {
  broken: { ...looks.failed, label: 'New failure' },
  still: { tone: 'fail', label: 'Still failing', icon: looks.failed.icon },
  missing: { tone: 'orphan', label: 'Missing', icon: FileX2 },
  slower: { tone: 'warn', label: 'Slower', icon: Snail },
  fixed: { tone: 'done', label: 'Fixed', icon: Wrench },
  added: { tone: 'active', label: 'Added', icon: CirclePlus },
};
