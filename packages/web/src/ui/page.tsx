import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** The header of a page: title, description and actions. */
export function PageHeader({
  title,
  besideTitle: after,
  description,
  actions,
  children,
}: {
  title: ReactNode;
  besideTitle?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="flex shrink-0 flex-col gap-3 border-line border-b px-page py-3.5">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-2">
        <h1 dir="auto" className="min-w-0 break-words font-[650] text-xl tracking-[-0.01em]">
          {title}
        </h1>
        {after}
        {description && <p className="min-w-0 text-fg-3">{description}</p>}
        {actions && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

/** The content below the header, for pages that scroll as a whole. */
export function PageBody({ children }: { children: ReactNode }) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-page max-md:flex-none max-md:overflow-visible">{children}</div>
  );
}

export function EmptyState({
  icon: Icon,
  title,
  children,
  isWholePage: whole = false,
}: {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  /** The error is the whole page, so its title is the page's heading. */
  isWholePage?: boolean;
}) {
  const Heading = whole ? 'h1' : 'h2';
  return (
    <div className="mx-auto flex w-full max-w-[560px] flex-col items-center gap-3 px-6 py-14 text-center">
      <span className="grid size-11 place-items-center rounded-xl border border-line-strong bg-raised text-fg-2">
        <Icon size={20} aria-hidden />
      </span>
      <Heading className="font-semibold text-lg">{title}</Heading>
      <div className="flex w-full flex-col gap-3 text-fg-2 [&_p]:mx-auto [&_p]:max-w-[460px]">{children}</div>
    </div>
  );
}

/** A placeholder while something is loading; it appears late, so that quick answers do not flicker. */
export function LoadingPlaceholder({ rows = 6 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading" className="flex w-full flex-1 flex-col gap-2 p-page">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a placeholder have no identity
        <div key={index} className="h-9 animate-pulse rounded-md bg-surface" />
      ))}
    </div>
  );
}

export function Chip({ children, icon: Icon, title }: { children: ReactNode; icon?: LucideIcon; title?: string }) {
  return (
    <span
      title={title}
      className="inline-flex h-[22px] max-w-full items-center gap-1.5 whitespace-nowrap rounded-full border border-line-strong px-2 text-fg-2 text-xs"
    >
      {Icon && <Icon size={12} aria-hidden className="shrink-0" />}
      <span dir="auto" className="truncate">
        {children}
      </span>
    </span>
  );
}

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="whitespace-nowrap rounded border border-line-strong border-b-2 bg-raised px-1 font-medium font-mono text-tiny text-fg-2">
      {children}
    </kbd>
  );
}
