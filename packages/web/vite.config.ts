import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const conditions = ['source', 'browser', 'module', 'default'];

/** The page of the scanner: one script, one sheet of styles, and a part for each page that is opened later. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // A proxy may serve it under a path of its own.
  base: './',
  resolve: { conditions },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    emptyOutDir: true,
    // No inline content: the Content-Security-Policy of the scanner forbids it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: {
      output: {
        // What most pages use is one file: many small ones compress worse.
        codeSplitting: { groups: [{ name: 'shared', test: /packages.web.src/, minShareCount: 8 }] },
      },
    },
  },
});
