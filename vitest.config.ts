import { defineConfig } from 'vitest/config';

// Packages are taken from their sources (the export condition `source`), so that a test and what it tests share
// one instance of every module; what is started as a process of its own runs from the build. Node adds import or
// require by itself: stated here, it would hand ES modules to packages that require others.
const conditions = ['source', 'node', 'module', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', './scripts/count-reporter.mjs'],
    unstubEnvs: true,
    projects: [
      { extends: true, test: { name: 'unit', include: ['packages/*/test/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'sockets',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/long/**', 'tests/peers/**'],
          // They talk to scanners from outside, and leave nothing in their own process that another could meet.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'long', include: ['tests/long/**/*.test.ts'], testTimeout: 120_000 } },
      { extends: true, test: { name: 'peers', include: ['tests/peers/**/*.test.ts'], testTimeout: 120_000 } },
    ],
  },
});
