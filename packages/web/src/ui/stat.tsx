import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Appearance } from './appearance.tsx';
import { formatCount } from './format-count.ts';

/** One figure of a board; it opens the list that it counts. */
export function Stat({
  appearance,
  count,
  label,
  detail,
  href,
}: {
  appearance: Appearance;
  count: number;
  label: string;
  detail: ReactNode;
  href?: string;
}) {
  const Icon = appearance.icon;
  const look = `tone-${appearance.tone} panel flex min-w-0 items-start gap-2.5 px-3 py-2.5`;
  const figure = (
    <>
      <Icon size={17} className="mt-1 shrink-0 text-tone-text" aria-hidden />
      <div className="min-w-0">
        <p className="flex items-baseline gap-1.5">
          <b className="font-[650] text-display leading-6">{formatCount(count)}</b>
          <span className="truncate text-fg-2">{label}</span>
        </p>
        <p className="text-fg-3 text-xs">{detail}</p>
      </div>
    </>
  );
  if (href === undefined) return <div className={look}>{figure}</div>;
  return (
    <Link href={href} className={`${look} transition-colors hover:border-line-strong hover:bg-raised`}>
      {figure}
    </Link>
  );
}

export function Stats({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-[repeat(auto-fit,minmax(150px,1fr))] gap-2">{children}</div>;
}
