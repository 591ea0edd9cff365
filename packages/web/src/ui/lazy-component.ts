import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';
import { LoadingPlaceholder } from './page.tsx';
import { PageError } from './page-error.tsx';

const retryDelaysMs = [250, 1_000, 3_000];

/**
 * A component that is loaded when it is first shown, or earlier with `preload`, and drawn as soon as it is loaded:
 * React's own `lazy` keeps its fallback for 300 ms. Loading is retried, so a restart of the service does not break it.
 */
export const lazyComponent = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  placeholder: ReactNode = createElement(LoadingPlaceholder),
) => {
  let loaded: ComponentType<Props> | undefined;
  const read = async (onMissed?: () => void) => {
    loaded = await loadWithRetries(load, onMissed);
    return loaded;
  };
  function Loaded(props: Props) {
    const [state, setState] = useState<{
      component?: ComponentType<Props> | undefined;
      fault?: unknown;
      missed?: boolean;
    }>(() => ({ component: loaded }));
    useEffect(() => {
      let isShown = true;
      const put = (next: typeof state) => isShown && setState(next);
      if (!state.component)
        read(() => put({ missed: true })).then(
          (component) => put({ component }),
          (fault) => put({ fault }),
        );
      return () => {
        isShown = false;
      };
    }, [state.component]);
    if (state.fault) throw state.fault;
    // The retry shows this error instead of an empty page.
    if (state.missed) return createElement(PageError, { status: 0, message: loadFault, onRetry: reload });
    return state.component ? createElement(state.component, props) : placeholder;
  }
  return Object.assign(Loaded, { preload: () => void read().catch(() => undefined) });
};

/** Shown while the code of a page cannot be loaded. */
export const loadFault = 'This page could not be loaded: the service does not answer.';
export const reload = (): void => location.reload();

async function loadWithRetries<Loaded>(load: () => Promise<Loaded>, onMissed?: () => void): Promise<Loaded> {
  for (const waitMs of retryDelaysMs) {
    try {
      return await load();
    } catch {
      onMissed?.();
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  return await load();
}
