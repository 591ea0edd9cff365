import { Keyboard, Menu } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { useStore } from 'zustand';
import { useMe } from '../features/shared/me.ts';
import type { Mode } from '../features/shared/mode.ts';
import { paths } from '../paths.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ConnectionBadge } from './connection-badge.tsx';
import { Logo } from './logo.tsx';
import { NavCount } from './nav-count.tsx';
import { type NavItem, navItems } from './nav-items.ts';
import { closeOverlay, openMenu, openShortcuts, overlay } from './overlay.ts';
import { WhoAmI } from './who-am-i.tsx';

const itemClasses = 'flex w-full shrink-0 items-center rounded-md font-medium transition-colors';
/** Next to the page: names beside their icons, or below them in a narrow window. */
const besideClasses = `${itemClasses} h-8 gap-2.5 px-2 relative max-lg:h-auto max-lg:min-h-[38px] max-lg:flex-col max-lg:justify-center max-lg:gap-0.5 max-lg:px-0 max-lg:py-1 max-lg:text-tiny max-lg:leading-tight`;
const menuClasses = `${itemClasses} h-11 gap-3 px-3`;
const colours = (on: boolean) => (on ? 'bg-hover text-fg' : 'text-fg-2 hover:bg-hover hover:text-fg');

type Place = 'beside' | 'menu';

export function Sidebar({ mode }: { mode: Mode }) {
  return (
    <nav
      aria-label="Main"
      className="flex min-h-0 flex-col gap-0.5 overflow-y-auto border-line border-r bg-surface px-2.5 py-3.5 max-lg:px-1 menu:hidden"
    >
      <Link
        href={paths.start}
        className="mb-1 flex items-center gap-2.5 rounded-md px-2 py-0.5 font-[650] text-heading max-lg:justify-center max-lg:px-0"
      >
        <Logo />
        <span className="max-lg:sr-only">Signalbox</span>
      </Link>
      <NavList mode={mode} place="beside" />
      <div className="flex-1" />
      <button type="button" onClick={openShortcuts} className={`${besideClasses} ${colours(false)}`}>
        <Keyboard size={16} aria-hidden />
        Shortcuts
        <span className="ml-auto font-mono text-fg-3 text-xs max-lg:hidden">?</span>
      </button>
      <WhoAmI />
      <ConnectionBadge />
    </nav>
  );
}

function NavList({ mode, place }: { mode: Mode; place: Place }) {
  const isAdmin = useMe()?.scopes.includes('admin') ?? false;
  const items = navItems(mode).filter(({ group }) => group !== 'Admin' || isAdmin);
  return [...Map.groupBy(items, ({ group }) => group)].map(([group, list]) => (
    <div key={group} className="flex flex-col gap-0.5">
      <p className={`eyebrow mt-3 mb-1 px-2 text-tiny ${place === 'beside' ? 'max-lg:sr-only' : ''}`}>{group}</p>
      {list.map((item) => (
        <NavLink key={item.href} item={item} mode={mode} place={place} />
      ))}
    </div>
  ));
}

function NavLink({ item, mode, place }: { item: NavItem; mode: Mode; place: Place }) {
  const [location] = useLocation();
  const on = location === item.href || location.startsWith(`${item.href}/`);
  const Icon = item.icon;
  return (
    <Link
      href={item.href}
      aria-current={on ? 'page' : undefined}
      onClick={closeOverlay}
      className={`${place === 'beside' ? besideClasses : menuClasses} ${colours(on)}`}
    >
      <Icon size={16} aria-hidden className="shrink-0" />
      <span className="max-w-full truncate">{item.label}</span>
      <span
        className={`ml-auto ${place === 'beside' ? 'max-lg:absolute max-lg:top-0 max-lg:left-[calc(50%+11px)]' : ''}`}
      >
        <NavCount href={item.href} mode={mode} />
      </span>
    </Link>
  );
}

/** Used if the sidebar has no room: the needs stay visible, everything else is one click away. */
export function MenuButton({ mode }: { mode: Mode }) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={openMenu}
      className="-ml-1.5 flex h-8 shrink-0 items-center gap-2 rounded-md border border-line-strong px-2 font-medium hover:bg-hover no-menu:hidden"
    >
      <Menu size={16} aria-hidden />
      Menu
      <NavCount href={mode === 'whole' ? paths.start : paths.runs} mode={mode} />
    </button>
  );
}

/** The sidebar as a dialog. */
export function MenuDialog({ mode }: { mode: Mode }) {
  const isOpen = useStore(overlay, ({ open }) => open === 'menu');
  if (!isOpen) return null;
  return (
    <Dialog title="Menu" onClose={closeOverlay}>
      <nav aria-label="Main" className="flex flex-col gap-0.5">
        <NavList mode={mode} place="menu" />
        <WhoAmI />
        <ConnectionBadge />
      </nav>
    </Dialog>
  );
}
