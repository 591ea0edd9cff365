import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';

/** The page of one run as a single script and a single style, which an exported file contains together with its data. */
export const exportConfig: InlineConfig = {
  configFile: false,
  root: import.meta.dirname,
  publicDir: false,
  logLevel: 'warn',
  plugins: [react(), tailwind()],
  resolve: { tsconfigPaths: true },
  build: {
    target: 'es2023',
    outDir: 'dist/export',
    emptyOutDir: true,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      input: 'src/export-main.tsx',
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: false,
        entryFileNames: 'run.js',
        assetFileNames: 'run[extname]',
      },
    },
  },
};
