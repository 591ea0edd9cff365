import { useStore } from 'zustand';
import { settings } from './settings.ts';

/** The height of a table's rows, by the chosen density. No row is lower than a finger or a pointer needs. */
export const useRowHeight = (usual: number): number =>
  useStore(settings, ({ density }) => (density === 'dense' ? Math.max(24, Math.round(usual * 0.78)) : usual));
