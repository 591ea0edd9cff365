import { Keyboard, Moon, Sun } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { useStore } from 'zustand';
import { useMe } from '../features/shared/me.ts';
import type { Mode } from '../features/shared/mode.ts';
import { paths } from '../paths.ts';
import { chooseTheme, settings } from '../ui/settings.ts';
import { ConnectionBadge } from './connection-badge.tsx';
import { Logo } from './logo.tsx';
import { NavCount } from './nav-count.tsx';
import { type NavItem, navItems } from './nav-items.ts';
import { openShortcuts } from './overlay.ts';
import { WhoAmI } from './who-am-i.tsx';

const itemClasses =
  'relative flex h-8 w-full shrink-0 items-center gap-2.5 rounded-md px-2 font-medium max-lg:justify-center max-lg:px-0 transition-colors';

export function Sidebar({ mode }: { mode: Mode }) {
  const theme = useStore(settings, (state) => state.theme);
  const isAdmin = useMe()?.scopes.includes('admin') ?? false;
  const items = navItems(mode).filter(({ group }) => group !== 'Admin' || isAdmin);
  const groups = Map.groupBy(items, ({ group }) => group);
  return (
    <nav
      aria-label="Main"
      className="flex min-h-0 flex-col gap-0.5 overflow-y-auto border-line border-r bg-surface px-2.5 py-3.5 max-lg:px-2"
    >
      <Link
        href={paths.start}
        className="mb-1 flex items-center gap-2.5 rounded-md px-2 py-0.5 font-[650] text-heading max-lg:px-2"
      >
        <Logo />
        <span className="max-lg:sr-only">Signalbox</span>
      </Link>
      <div className="flex flex-col gap-0.5">
        {[...groups].map(([group, list]) => (
          <div key={group} className="flex flex-col gap-0.5">
            <p className="eyebrow mt-3 mb-1 px-2 text-tiny max-lg:sr-only">{group}</p>
            {list.map((item) => (
              <NavLink key={item.href} item={item} mode={mode} />
            ))}
          </div>
        ))}
      </div>
      <div className="flex-1" />
      <button
        type="button"
        onClick={openShortcuts}
        title="Shortcuts"
        className={`${itemClasses} text-fg-2 hover:bg-hover hover:text-fg`}
      >
        <Keyboard size={16} aria-hidden />
        <span className="max-lg:sr-only">Shortcuts</span>
        <span className="ml-auto font-mono text-fg-3 text-xs max-lg:hidden">?</span>
      </button>
      <button
        type="button"
        title="Switch theme"
        onClick={() => chooseTheme(theme === 'dark' ? 'light' : 'dark')}
        className={`${itemClasses} text-fg-2 hover:bg-hover hover:text-fg`}
      >
        {theme === 'dark' ? <Moon size={16} aria-hidden /> : <Sun size={16} aria-hidden />}
        <span className="max-lg:sr-only">{theme === 'dark' ? 'Dark theme' : 'Light theme'}</span>
      </button>
      <WhoAmI />
      <ConnectionBadge />
    </nav>
  );
}

function NavLink({ item, mode }: { item: NavItem; mode: Mode }) {
  const [location] = useLocation();
  const on = location === item.href || location.startsWith(`${item.href}/`);
  const Icon = item.icon;
  return (
    <Link
      href={item.href}
      aria-current={on ? 'page' : undefined}
      title={item.label}
      className={`${itemClasses} ${on ? 'bg-hover text-fg' : 'text-fg-2 hover:bg-hover hover:text-fg'}`}
    >
      <Icon size={16} aria-hidden />
      <span className="max-lg:sr-only">{item.label}</span>
      <span
        className={`ml-auto ${item.href === paths.start ? 'max-lg:absolute max-lg:top-0 max-lg:left-[calc(50%+9px)] max-lg:leading-none' : 'max-lg:hidden'}`}
      >
        <NavCount href={item.href} mode={mode} />
      </span>
    </Link>
  );
}
