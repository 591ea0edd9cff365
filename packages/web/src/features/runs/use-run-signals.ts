import { useEffect, useRef, useState } from 'react';
import type { RunDetail } from '../../live/wire.ts';
import { showFailure } from '../../ui/toasts.tsx';
import { signalOf, tabIcon, tabTitle } from './run-signals.ts';

const iconLink = (): HTMLLinkElement | null => document.querySelector('link[rel="icon"]');

/** The tab icon shows running, red or green; the first failure of a live run is reported at once. */
export function useRunSignals({ run, scenarios }: RunDetail): void {
  const signal = signalOf(run);
  useEffect(() => {
    const before = iconLink()?.getAttribute('href');
    iconLink()?.setAttribute('href', tabIcon(signal));
    return () => {
      if (before) iconLink()?.setAttribute('href', before);
    };
  }, [signal]);

  const failedBefore = useRef(run.failed);
  useEffect(() => {
    const isFirst = failedBefore.current === 0 && run.failed > 0 && run.state === 'running';
    failedBefore.current = run.failed;
    if (!isFirst) return;
    const broken = scenarios.find(({ outcome }) => outcome === 'Failed' || outcome === 'Aborted');
    showFailure(`First failure: ${broken?.scenario ?? run.suite}. Press N to open it.`);
  }, [run.failed, run.state, run.suite, scenarios]);
}

/** A quiet notification of the desktop when a run that is watched ends. */
export function useWatchedRun({ run }: RunDetail): { watching: boolean; watch: () => void } | null {
  const [watching, setWatching] = useState(false);
  const isLive = run.state === 'running';
  const isKnown = typeof Notification !== 'undefined';
  useEffect(() => {
    if (!watching || isLive || !isKnown) return;
    setWatching(false);
    new Notification(tabTitle(run), {
      silent: true,
      tag: run.runId,
      body: `${run.passed} passed, ${run.failed} failed`,
    });
  }, [watching, isLive, isKnown, run]);
  if (!isLive || !isKnown) return null;
  return {
    watching,
    watch: () =>
      void (watching
        ? setWatching(false)
        : Notification.requestPermission().then((answer) => setWatching(answer === 'granted'))),
  };
}
