import { ChevronRight, Search } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useStore } from 'zustand';
import type { Mode } from '../features/shared/mode.ts';
import { isDemo } from '../features/story/demo.ts';
import { breadcrumbs } from '../ui/breadcrumbs.ts';
import { lazyComponent } from '../ui/lazy-component.ts';
import { Kbd } from '../ui/page.tsx';
import { AwayBanner } from './away-banner.tsx';
import { ConditionsBanner } from './conditions-banner.tsx';
import { openPalette } from './overlay.ts';
import { MenuButton, MenuDialog, Sidebar } from './sidebar.tsx';

const StoryBar = lazyComponent(async () => (await import('../features/story/story-bar.tsx')).StoryBar, null);

export function Shell({ mode, children }: { mode: Mode; children: ReactNode }) {
  return (
    <div className="grid h-full grid-cols-[208px_minmax(0,1fr)] max-lg:grid-cols-[84px_minmax(0,1fr)] menu:grid-cols-[minmax(0,1fr)]">
      <a
        href="#main"
        className="absolute top-2 left-2 z-50 -translate-y-20 rounded-md bg-primary px-3 py-2 text-white focus:translate-y-0"
      >
        Skip to content
      </a>
      <Sidebar mode={mode} />
      <div className="flex min-h-0 min-w-0 flex-col">
        <AwayBanner />
        <ConditionsBanner />
        <header className="flex h-12 shrink-0 items-center gap-2.5 border-line border-b px-page">
          <MenuButton mode={mode} />
          <Trail />
          <button
            type="button"
            onClick={openPalette}
            className="ml-auto flex h-[30px] w-[320px] min-w-[92px] items-center max-md:w-auto max-md:min-w-fit gap-2 rounded-[7px] border border-edge bg-surface px-2.5 text-control text-fg-3 hover:border-accent"
          >
            <Search size={14} className="shrink-0" aria-hidden />
            <span className="truncate max-md:sr-only">Jump to or do anything</span>
            <span className="ml-auto max-md:hidden">
              <Kbd>Ctrl K</Kbd>
            </span>
          </button>
        </header>
        <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none max-md:overflow-y-auto">
          {children}
        </main>
        {isDemo && <StoryBar />}
      </div>
      <MenuDialog mode={mode} />
    </div>
  );
}

function Trail() {
  const trail = useStore(breadcrumbs, (state) => state.trail);
  return (
    <nav aria-label="Breadcrumb" className="flex min-w-0 items-center gap-1.5 text-fg-3">
      {trail.map(({ label, href }, index) => (
        <Fragment key={`${label}${href}`}>
          {index > 0 && <ChevronRight size={13} aria-hidden className="shrink-0" />}
          {href ? (
            <Link
              href={href}
              className={`rounded py-1 hover:text-fg ${index === 0 ? 'shrink-0' : 'min-w-8 shrink-[9] truncate'}`}
            >
              {label}
            </Link>
          ) : (
            <b className="truncate font-semibold text-fg" aria-current="page">
              {label}
            </b>
          )}
        </Fragment>
      ))}
    </nav>
  );
}
