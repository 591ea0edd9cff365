import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { ExportedRun } from './features/exported-run.tsx';
import { queryClient } from './live/query-client.ts';
import { followSystemTheme } from './ui/settings.ts';
import './theme.css';

const { matches } = matchMedia('(prefers-color-scheme: light)');
document.documentElement.dataset.theme = matches ? 'light' : 'dark';
followSystemTheme();
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <QueryClientProvider client={queryClient}>
      <ExportedRun />
    </QueryClientProvider>,
  );
