import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useBoard } from '../features/agents/agent-queries.ts';
import { useMyNeeds, useNeeds } from '../features/home/needs-queries.ts';
import { notifyOf } from '../features/home/notify-needs.ts';
import { newNeeds } from '../features/news/news.ts';
import type { Need } from '../live/wire.ts';
import { setTitleCount } from '../ui/breadcrumbs.ts';
import { showIconCount } from './tab-icon.ts';

/** Keeps the number of needs in the title and the icon of the tab, and notifies of new needs of the chosen kinds. */
export function AttentionInTab() {
  const needs = useNeeds().data?.needs;
  // News compares one board with the next, so the board is followed on every page.
  useBoard();
  const [, go] = useLocation();
  const before = useRef<readonly Need[]>(undefined);
  const count = useMyNeeds() ?? 0;
  useEffect(() => {
    setTitleCount(count);
    showIconCount(count);
  }, [count]);
  useEffect(() => {
    if (!needs) return;
    // The first answer is not announced.
    if (before.current) notifyOf(newNeeds(before.current, needs), go);
    before.current = needs;
  }, [needs, go]);
  return null;
}
