import { Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { Route, Router, Switch } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { useStore } from 'zustand';
import { addressOf, answerFrom, consoleAddressOf } from '../live/call.ts';
import type { RunDetail } from '../live/wire.ts';
import { paths, patterns } from '../paths.ts';
import { IconButton } from '../ui/button.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { settings, toggleTheme } from '../ui/settings.ts';
import { formatDateTime } from '../ui/time.tsx';
import { readSearchFrom } from '../ui/use-search-param.ts';
import { verdictsShown } from './runs/failure/history-strip.tsx';
import { RunPage } from './runs/run-page.tsx';
import { newestRuns } from './runs/run-queries.ts';
import { TestPage } from './runs/test-page.tsx';

/** Reads the contents of the file, and answers the queries of the pages from it. */
function openFile(): RunDetail['run'] {
  const text = (id: string) => document.getElementById(id)?.textContent ?? 'null';
  const detail: RunDetail = JSON.parse(text('run'));
  const { run } = detail;
  const { runId, repository, suite } = run;
  const answers = new Map([
    [consoleAddressOf('get_run', { runId }), text('run')],
    [addressOf('list_runs', { limit: newestRuns }), JSON.stringify([run])],
  ]);
  for (const [uid, history] of Object.entries<object>(JSON.parse(text('histories')) ?? {}))
    answers.set(addressOf('test_history', { uid, repository, suite, limit: verdictsShown }), JSON.stringify(history));
  const files = new Map<string, string>();
  for (const { dataset, textContent } of document.querySelectorAll<HTMLScriptElement>('script[data-sha256]')) {
    const { sha256 = '', media = '' } = dataset;
    files.set(addressOf('run_attachment', { runId, sha256 }), `data:${media};base64,${textContent}`);
  }
  answerFrom({ answers, files });
  return run;
}

/** A file has no addresses for its pages, so the location is kept in memory. */
function openLocation(path: string) {
  const opened = memoryLocation({ path, record: true });
  readSearchFrom(() => opened.history.at(-1)?.split('?', 2)[1] ?? '');
  return opened;
}

/** The page of a run as a single file. It sends no requests. */
export function ExportedRun() {
  const [run] = useState(openFile);
  const [location] = useState(() => openLocation(paths.run(run.runId)));
  const theme = useStore(settings, (state) => state.theme);
  return (
    <Router hook={location.hook} searchHook={location.searchHook}>
      <div className="flex h-full flex-col">
        <header className="flex shrink-0 items-center gap-3 border-line border-b bg-surface px-page py-1.5 text-fg-3">
          <b className="font-semibold text-fg">Signalbox</b>
          <span className="min-w-0 truncate">
            {run.suite}, exported{run.startedAt && `; started ${formatDateTime(run.startedAt)}`}
          </span>
          <span className="flex-1" />
          <IconButton
            icon={theme === 'dark' ? Sun : Moon}
            label={theme === 'dark' ? 'Light theme' : 'Dark theme'}
            onClick={toggleTheme}
          />
        </header>
        <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
          <ErrorBoundary onServiceBack={() => () => undefined}>
            <Switch>
              <Route path={patterns.test}>{({ runId, uid }) => <TestPage key={runId} runId={runId} uid={uid} />}</Route>
              <Route>
                <RunPage runId={run.runId} />
              </Route>
            </Switch>
          </ErrorBoundary>
        </main>
      </div>
    </Router>
  );
}
