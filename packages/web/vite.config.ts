import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin } from 'vite';
import { exportConfig } from './vite.export.config.ts';

/** Builds the page of an exported run as well. */
const exportedRun: Plugin = {
  name: 'exported-run',
  apply: 'build',
  async closeBundle() {
    await build(exportConfig);
  },
};

export default defineConfig({
  plugins: [react(), tailwind(), exportedRun],
  resolve: { tsconfigPaths: true },
  build: {
    target: 'es2023',
    // The policy allows fonts and pictures of our own origin only, so nothing becomes a data address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // How long plugins took on a slow machine is nothing a newcomer has to read.
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // What every page needs is one file: thirty small ones pack worse, an icon in each of them.
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
    },
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': 'http://localhost:5526' } },
});
