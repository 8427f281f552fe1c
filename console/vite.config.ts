import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { documentModules } from './build/document-modules.ts';
import { iconModule } from './build/icon-module.ts';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [react(), documentModules(), iconModule()],
  build: {
    target: 'es2023',
    // Both would add inline scripts or data URLs, which the content security policy blocks.
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: true,
    reportCompressedSize: false,
    // Plugin timings are printed only on a busy machine and are not useful here.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  logLevel: 'warn',
});
