import { useEffect } from 'react';
import { createStore } from 'zustand/vanilla';

export type Breadcrumb = { label: string; href?: string };
export const breadcrumbs = createStore<{ trail: readonly Breadcrumb[] }>(() => ({ trail: [] }));

/** Sets the breadcrumbs in the top bar and the title of the tab. */
export function useBreadcrumbs(...trail: readonly Breadcrumb[]): void {
  const text = JSON.stringify(trail);
  useEffect(() => {
    const now = JSON.parse(text) as Breadcrumb[];
    breadcrumbs.setState({ trail: now });
    document.title = [...now.map(({ label }) => label).reverse(), 'Signalbox'].join(' · ');
  }, [text]);
}
