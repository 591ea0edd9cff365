import { useEffect, useRef, useState } from 'react';
import type { RunDetail } from '../../live/wire.ts';
import { announce } from '../../ui/announcer.tsx';
import { showFailure } from '../../ui/toasts.tsx';
import { signalOf, tabIcon, tabTitle } from './run-signals.ts';

const iconLink = (): HTMLLinkElement | null => document.querySelector('link[rel="icon"]');

/** The tab icon shows running, red or green. Every failure of a live run is announced; the first is also shown. */
export function useRunSignals({ run, scenarios }: RunDetail): void {
  const signal = signalOf(run);
  useEffect(() => {
    const before = iconLink()?.getAttribute('href');
    iconLink()?.setAttribute('href', tabIcon(signal));
    return () => {
      if (before) iconLink()?.setAttribute('href', before);
    };
  }, [signal]);

  const knownFailures = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    const failed = scenarios.filter(({ outcome }) => outcome === 'Failed' || outcome === 'Aborted');
    const before = knownFailures.current;
    knownFailures.current = new Set(failed.map(({ uid }) => uid));
    if (!before || run.state !== 'running') return;
    const added = failed.filter(({ uid }) => !before.has(uid));
    for (const { scenario } of added) announce(`${scenario} failed`, 'failed');
    if (before.size === 0 && added[0]) showFailure(`First failure: ${added[0].scenario}. Press N to open it.`);
  }, [run.state, scenarios]);
}

/** A quiet desktop notification when a watched run ends. */
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
