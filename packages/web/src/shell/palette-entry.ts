import type { LucideIcon } from 'lucide-react';

/** Something to go to, or something to do. */
export type PaletteEntry = {
  target: { href: string } | { run: () => void };
  label: string;
  detail: string;
  kind: string;
  icon: LucideIcon;
};
