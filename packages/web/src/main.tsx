import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { connection } from './live/connection.ts';
import { queryClient } from './live/query-client.ts';
import { showCutTexts } from './ui/cut-texts.ts';
import { setNumberLanguage } from './ui/format-count.ts';
import { keepFocus } from './ui/place.ts';
import { followSystemTheme, type Settings, settings } from './ui/settings.ts';
import { setClock, setClockOffset, setClockStopped } from './ui/time.tsx';
import './fonts.css';
import './theme.css';

followSystemTheme();
keepFocus();
showCutTexts();
function applySettings({ clock, numbers, motion }: Settings): void {
  setClock(clock);
  setNumberLanguage(numbers === 'browser' ? undefined : numbers);
  document.documentElement.dataset.motion = motion;
}
applySettings(settings.getState());
settings.subscribe(applySettings);
connection.subscribe(({ clockOffsetMs, link }) => {
  setClockOffset(clockOffsetMs);
  setClockStopped(link === 'lost');
});
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
