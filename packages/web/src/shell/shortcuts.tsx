import { useRef } from 'react';
import { useLocation } from 'wouter';
import { useStore } from 'zustand';
import type { Mode } from '../features/shared/mode.ts';
import { lazyComponent } from '../ui/lazy-component.ts';
import { arrive } from '../ui/place.ts';
import { toggleTheme } from '../ui/settings.ts';
import { useKeys } from '../ui/use-keys.ts';
import { navItems } from './nav-items.ts';
import { openShortcuts, overlay } from './overlay.ts';

const ShortcutsDialog = lazyComponent(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog, null);

export function Shortcuts({ mode }: { mode: Mode }) {
  const isOpen = useStore(overlay, (state) => state.open === 'shortcuts');
  const [path, go] = useLocation();
  const leader = useRef(0);
  const open = (href: string) => {
    // G applies only to the next key: in `G R N`, `G R` opens the runs, and `N` is then the next failure, not `G N`.
    leader.current = 0;
    if (path === href) arrive();
    else go(href);
  };
  useKeys({
    '?': openShortcuts,
    d: toggleTheme,
    g: () => {
      leader.current = Date.now();
    },
    ...Object.fromEntries(
      navItems(mode).map(({ key, href }) => [key, () => Date.now() - leader.current < 1200 && open(href)]),
    ),
  });
  return isOpen ? <ShortcutsDialog mode={mode} /> : null;
}
