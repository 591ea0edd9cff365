import type { ReactNode } from 'react';
import { counted } from './count.ts';
import type { Look } from './tone.tsx';

/** One figure of a board. */
export function Stat({ look, count, label, says }: { look: Look; count: number; label: string; says: ReactNode }) {
  const Icon = look.icon;
  return (
    <div className={`tone-${look.tone} panel flex min-w-0 items-start gap-2.5 px-3 py-2.5`}>
      <Icon size={17} className="mt-1 shrink-0 text-tone-text" aria-hidden />
      <div className="min-w-0">
        <p className="flex items-baseline gap-1.5">
          <b className="font-[650] text-[19px] leading-6">{counted(count)}</b>
          <span className="truncate text-fg-2">{label}</span>
        </p>
        <p className="truncate text-fg-3 text-xs">{says}</p>
      </div>
    </div>
  );
}

export function Stats({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-[repeat(auto-fit,minmax(130px,1fr))] gap-2">{children}</div>;
}
