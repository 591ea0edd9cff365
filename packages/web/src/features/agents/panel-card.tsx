import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

export function PanelCard({
  id,
  icon: Icon,
  title,
  count,
  children,
}: {
  id?: string;
  icon: LucideIcon;
  title: string;
  count?: number;
  children: ReactNode;
}) {
  return (
    <section id={id} className="panel overflow-hidden">
      <h2 className="flex items-center gap-2 px-3 py-2.5 font-semibold">
        <Icon size={15} className="text-fg-3" aria-hidden />
        {title}
        {count !== undefined && <span className="ml-auto font-mono font-normal text-fg-3 text-xs">{count}</span>}
      </h2>
      {children}
    </section>
  );
}

export const EmptyLine = ({ children }: { children: ReactNode }) => (
  <p className="border-line border-t px-3 py-2 text-fg-3">{children}</p>
);
