import { Activity, Bot, Columns3, FolderGit2, ListTodo, type LucideIcon, Map as MapIcon } from 'lucide-react';
import type { Mode } from '../live/mode.ts';

export type NavItem = { href: string; label: string; icon: LucideIcon; key: string; group: 'Coordinate' | 'Observe' };

const allItems: readonly NavItem[] = [
  { href: '/plans', label: 'Plans', icon: MapIcon, key: 'p', group: 'Coordinate' },
  { href: '/ready', label: 'Ready work', icon: ListTodo, key: 'w', group: 'Coordinate' },
  { href: '/agents', label: 'Agents', icon: Bot, key: 'a', group: 'Coordinate' },
  { href: '/repositories', label: 'Repositories', icon: FolderGit2, key: 'e', group: 'Coordinate' },
  { href: '/runs', label: 'Runs', icon: Activity, key: 'r', group: 'Observe' },
  { href: '/event-model', label: 'Event model', icon: Columns3, key: 'm', group: 'Observe' },
];

export const navItems = (mode: Mode): readonly NavItem[] =>
  mode === 'whole' ? allItems : allItems.filter(({ group }) => group === 'Observe');
