import { createContext, type ReactNode, useContext } from 'react';
import { glossaryEntry } from './glossary.ts';

/** The level of headings here: 2 below the title of a page, 3 below that of a panel. */
export const HeadingLevel = createContext<2 | 3>(3);

export function Section({
  title,
  aside,
  level,
  children,
}: {
  title: string;
  aside?: ReactNode;
  /** Set if it differs from the surrounding level. */
  level?: 2 | 3;
  children: ReactNode;
}) {
  const around = useContext(HeadingLevel);
  const Heading = (level ?? around) === 2 ? 'h2' : 'h3';
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
      <span className="text-fg-3" title={glossaryEntry(name)}>
        {name}
      </span>
      <span className="min-w-0 break-words">{children}</span>
    </div>
  );
}
