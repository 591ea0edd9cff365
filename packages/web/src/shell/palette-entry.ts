import type { LucideIcon } from 'lucide-react';

/** A place to go to, or an action. */
export type PaletteEntry = {
  target: { href: string } | { run: () => void };
  label: string;
  detail: string;
  kind: string;
  icon: LucideIcon;
};
