import { useEffect } from 'react';
import { useStore } from 'zustand';
import { followService } from './live/client.ts';
import { connection } from './live/connection.ts';
import { useMode } from './live/mode.ts';
import { Routes } from './routes.tsx';
import { Login } from './shell/login.tsx';
import { Palette } from './shell/palette.tsx';
import { Shell } from './shell/shell.tsx';
import { Shortcuts } from './shell/shortcuts.tsx';
import { Toasts } from './ui/toasts.tsx';

export function App() {
  const mode = useMode().data;
  const needsToken = useStore(connection, (state) => state.needsToken);
  useEffect(() => {
    if (mode === 'whole' && !needsToken) return followService();
    if (mode === 'console') connection.setState({ link: 'polling' });
  }, [mode, needsToken]);
  if (needsToken) return <Login />;
  return (
    <>
      <Shell mode={mode ?? 'whole'}>
        <Routes mode={mode ?? 'whole'} />
      </Shell>
      <Palette mode={mode ?? 'whole'} />
      <Shortcuts />
      <Toasts />
    </>
  );
}
