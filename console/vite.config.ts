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
    // Both would write script or data URLs into the page, which its policy refuses.
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: true,
    reportCompressedSize: false,
    // Of interest to who writes a plugin, and said on a busy machine only.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  logLevel: 'warn',
});
