import { Link2Off } from 'lucide-react';
import { glossaryEntry } from '../../ui/glossary.ts';

/** Marks a node that nothing can prove done; it looks the same everywhere. */
export const Unbound = () => (
  <span
    title={glossaryEntry('unbound')}
    className="tone-warn inline-flex shrink-0 items-center gap-1 whitespace-nowrap text-tone-text text-xs"
  >
    <Link2Off size={12} aria-hidden />
    unbound
  </span>
);
