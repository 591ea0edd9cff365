import { useEffect } from 'react';
import { createStore } from 'zustand/vanilla';

/** `title` replaces the label in the title of the tab. */
export type Breadcrumb = { label: string; href?: string; title?: string };
export const breadcrumbs = createStore<{ trail: readonly Breadcrumb[]; count: number }>(() => ({
  trail: [],
  count: 0,
}));

breadcrumbs.subscribe(({ trail, count }) => {
  const title = [...trail.map(({ label, title }) => title ?? label).reverse(), 'Signalbox'].join(' · ');
  document.title = count > 0 ? `(${count}) ${title}` : title;
});

/** Puts a count before the title of the tab; none for 0. */
export const setTitleCount = (count: number): void => breadcrumbs.setState({ count });

/** Sets the breadcrumbs in the top bar and the title of the tab. */
export function useBreadcrumbs(...trail: readonly Breadcrumb[]): void {
  const text = JSON.stringify(trail);
  useEffect(() => {
    breadcrumbs.setState({ trail: JSON.parse(text) });
  }, [text]);
}
