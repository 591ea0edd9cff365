import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin } from 'vite';
import { exportConfig } from './vite.export.config.ts';

/** Also builds the page of an exported run. */
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
    // The policy allows fonts and pictures of our own origin only, so nothing may become a data: URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Newcomers need not read how long plugins took on a slow machine.
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // Everything that every page needs is one file: thirty small files, with an icon in each, compress worse.
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
    },
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': 'http://localhost:5526' } },
});
