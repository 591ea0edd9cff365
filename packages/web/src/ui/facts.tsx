import type { ReactNode } from 'react';

export function Section({
  title,
  aside,
  level = 3,
  children,
}: {
  title: string;
  aside?: ReactNode;
  /** The heading level: 2 below the title of a page, 3 below that of a panel. */
  level?: 2 | 3;
  children: ReactNode;
}) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <section className="flex flex-col gap-2">
      <Heading className="eyebrow flex items-center">
        {title}
        {aside && <span className="ml-auto normal-case tracking-normal">{aside}</span>}
      </Heading>
      {children}
    </section>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[84px_minmax(0,1fr)] items-baseline gap-2">
      <span className="text-fg-3">{name}</span>
      <span className="min-w-0 break-words">{children}</span>
    </div>
  );
}
