import { type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Tone } from './appearance.tsx';

/** A message right here: a refusal, a warning, a success. */
export function Notice({
  tone,
  title,
  icon: Icon = TriangleAlert,
  children,
  role = 'status',
}: {
  tone: Tone;
  title?: ReactNode;
  icon?: LucideIcon;
  children?: ReactNode;
  role?: 'status' | 'alert';
}) {
  return (
    <div role={role} className={`tone-${tone} tint flex gap-2.5 rounded-lg border px-3 py-2.5`}>
      <Icon size={15} className="mt-0.5 shrink-0 text-tone-text" aria-hidden />
      <div className="min-w-0 flex-1 break-words text-fg-2">
        {title && <b className="font-semibold text-tone-text">{title} </b>}
        {children}
      </div>
    </div>
  );
}
