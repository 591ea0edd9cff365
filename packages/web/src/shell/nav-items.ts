import {
  Activity,
  BellRing,
  Bot,
  CalendarDays,
  Columns3,
  FlaskConical,
  FolderGit2,
  GitCompareArrows,
  KeyRound,
  ListTodo,
  type LucideIcon,
  Map as MapIcon,
  ScrollText,
  Settings,
  Webhook,
} from 'lucide-react';
import type { Mode } from '../features/shared/mode.ts';
import { paths } from '../paths.ts';

export type NavItem = {
  href: string;
  label: string;
  icon: LucideIcon;
  key: string;
  group: 'Coordinate' | 'Observe' | 'Admin' | 'You';
};

const allItems: readonly NavItem[] = [
  { href: paths.start, label: 'Needs you', icon: BellRing, key: 'n', group: 'Coordinate' },
  { href: paths.today, label: 'Today', icon: CalendarDays, key: 'y', group: 'Coordinate' },
  { href: paths.plans, label: 'Plans', icon: MapIcon, key: 'p', group: 'Coordinate' },
  { href: paths.ready, label: 'Ready work', icon: ListTodo, key: 'w', group: 'Coordinate' },
  { href: paths.agents, label: 'Agents', icon: Bot, key: 'a', group: 'Coordinate' },
  { href: paths.changes(), label: 'Changes', icon: GitCompareArrows, key: 'c', group: 'Coordinate' },
  { href: paths.repositories, label: 'Repositories', icon: FolderGit2, key: 'e', group: 'Coordinate' },
  { href: paths.runs, label: 'Runs', icon: Activity, key: 'r', group: 'Observe' },
  { href: paths.tests(), label: 'Tests', icon: FlaskConical, key: 's', group: 'Observe' },
  { href: paths.eventModel, label: 'Event model', icon: Columns3, key: 'm', group: 'Observe' },
  { href: paths.tokens, label: 'Tokens', icon: KeyRound, key: 't', group: 'Admin' },
  { href: paths.webhooks, label: 'Webhooks', icon: Webhook, key: 'h', group: 'Admin' },
  { href: paths.audit, label: 'Audit', icon: ScrollText, key: 'u', group: 'Admin' },
  { href: paths.settings, label: 'Settings', icon: Settings, key: ',', group: 'You' },
];

export const navItems = (mode: Mode): readonly NavItem[] =>
  mode === 'whole' ? allItems : allItems.filter(({ group }) => group === 'Observe' || group === 'You');

/** The name of the section that an address belongs to. */
export const sectionOf = (path: string, mode: Mode): string =>
  navItems(mode).findLast(({ href }) => path === href || path.startsWith(`${href}/`))?.label ?? 'Not found';
