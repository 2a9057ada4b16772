import { defineConfig } from 'vitest/config';

// Packages are taken from their sources (the export condition `source`), so that a test and what it tests share
// one instance of every module; what is started as a process of its own runs from the build. Node adds import or
// require by itself: stated here, it would hand ES modules to packages that require others.
const conditions = ['source', 'node', 'module', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'tests/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', './scripts/count-reporter.mjs'],
    unstubEnvs: true,
  },
});
