import { useEffect } from 'react';
import { useStore } from 'zustand';
import { followService } from './features/follow-service.ts';
import { FailedRuns, NewNeeds } from './features/news/announcements.tsx';
import { useMode } from './features/shared/mode.ts';
import { connection, useReading } from './live/connection.ts';
import { asProblem, type Problem } from './live/problem.ts';
import { Routes } from './routes.tsx';
import { AttentionInTab } from './shell/attention.tsx';
import { Login, LoginOver } from './shell/login.tsx';
import { Palette } from './shell/palette.tsx';
import { RecentChanges } from './shell/recent-changes.tsx';
import { Shell } from './shell/shell.tsx';
import { Shortcuts } from './shell/shortcuts.tsx';
import { Announcer } from './ui/announcer.tsx';
import { PageError } from './ui/page-error.tsx';
import { settings } from './ui/settings.ts';
import { Toasts } from './ui/toasts.tsx';

export function App() {
  const modeQuery = useMode();
  const mode = modeQuery.data;
  const needsToken = useStore(connection, (state) => state.needsToken);
  const reading = useReading();
  // A change of clock or number format renders the whole page again.
  useStore(settings, ({ clock, numbers }) => `${clock} ${numbers}`);
  useEffect(() => {
    if (mode === 'whole' && !needsToken) return followService();
    if (mode === 'console') connection.setState({ link: 'polling', polls: true });
  }, [mode, needsToken]);
  if (needsToken && !mode) return <Login />;
  if (mode && !reading) return null;
  if (!mode)
    return modeQuery.isError ? <NoAnswer problem={asProblem(modeQuery.error)} onRetry={modeQuery.refetch} /> : null;
  return (
    <>
      <Shell mode={mode}>
        <Routes mode={mode} />
      </Shell>
      <Palette mode={mode} />
      <Shortcuts mode={mode} />
      {mode === 'whole' && <RecentChanges />}
      <Announcer />
      <FailedRuns />
      {mode === 'whole' && <NewNeeds />}
      {mode === 'whole' && <AttentionInTab />}
      <Toasts />
      {needsToken && <LoginOver />}
    </>
  );
}

/** The service delivered this page, so it is probably restarting or failing: the page asks again every two seconds. */
function NoAnswer({ problem: { status, message }, onRetry: again }: { problem: Problem; onRetry: () => void }) {
  return (
    <main className="grid h-full place-items-center">
      <PageError status={status} message={message} onRetry={again} />
    </main>
  );
}
