import { useEffect } from 'react';
import { useStore } from 'zustand';
import { followService } from './live/client.ts';
import { connection, useReading } from './live/connection.ts';
import { useMode } from './live/mode.ts';
import { asProblem } from './live/problem.ts';
import { Routes } from './routes.tsx';
import { Announcements } from './shell/announcements.tsx';
import { Login, LoginOver } from './shell/login.tsx';
import { Palette } from './shell/palette.tsx';
import { Shell } from './shell/shell.tsx';
import { Shortcuts } from './shell/shortcuts.tsx';
import { Toasts } from './ui/toasts.tsx';
import { Trouble } from './ui/trouble.tsx';

export function App() {
  const found = useMode();
  const mode = found.data;
  const needsToken = useStore(connection, (state) => state.needsToken);
  const reading = useReading();
  useEffect(() => {
    if (mode === 'whole' && !needsToken) return followService();
    if (mode === 'console') connection.setState({ link: 'polling', polls: true });
  }, [mode, needsToken]);
  if (needsToken && !mode) return <Login />;
  if (mode && !reading) return null;
  if (!mode) return found.isError ? <NoAnswer message={asProblem(found.error).message} again={found.refetch} /> : null;
  return (
    <>
      <Shell mode={mode}>
        <Routes mode={mode} />
      </Shell>
      <Palette mode={mode} />
      <Shortcuts mode={mode} />
      <Announcements />
      <Toasts />
      {needsToken && <LoginOver />}
    </>
  );
}

/** The page came from somewhere, so the service was there a moment ago: it is asked again every two seconds. */
function NoAnswer({ message, again }: { message: string; again: () => void }) {
  return (
    <main className="grid h-full place-items-center">
      <Trouble status={0} message={message} again={again} />
    </main>
  );
}
