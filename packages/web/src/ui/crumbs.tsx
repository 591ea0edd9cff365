import { useEffect } from 'react';
import { createStore } from 'zustand/vanilla';

export type Crumb = { label: string; href?: string };
export const crumbs = createStore<{ trail: readonly Crumb[] }>(() => ({ trail: [] }));

/** Says where the reader is, in the top bar and in the tab. */
export function useCrumbs(...trail: readonly Crumb[]): void {
  const text = JSON.stringify(trail);
  useEffect(() => {
    const now = JSON.parse(text) as Crumb[];
    crumbs.setState({ trail: now });
    document.title = [...now.map(({ label }) => label).reverse(), 'Signalbox'].join(' · ');
  }, [text]);
}
