import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import LongestFirst from './scripts/longest-first.mjs';

// Packages are taken from their sources (the export condition `source`), so that a test and what it tests share
// one instance of every module; what is started as a process of its own runs from the bundle. Node adds import or
// require by itself: stated here, it would hand ES modules to packages that require others.
const conditions = ['source', 'node', 'module', 'default'];

// The unit tests that need modules or a process of their own: they replace a module, see one loaded for the first
// time, change the time zone or the file mode mask of the process, hand file descriptors from one owner to another, or
// call the garbage collector.
const apart = [
  'packages/device/test/access/constant-time.test.ts',
  'packages/device/test/clock/device-time.test.ts',
  'packages/device/test/storage/on-disk-before-response.test.ts',
  'packages/device/test/storage/removed-lock.test.ts',
  'packages/device/test/storage/secret-documents.test.ts',
  'packages/fleet/test/port/kept-while-used.test.ts',
  'packages/http/test/bodies.test.ts',
  'packages/http/test/connections.test.ts',
  'packages/server/test/dns-sd/responder.test.ts',
  'packages/server/test/ros2/network.test.ts',
  'packages/web/test/connection/current.test.ts',
];

// Tests of packages, and of complete scanners, that take about a second or more each: `npm run test:long` has them, so that
// `npm test` is over within two minutes. scripts/slow-tests.mjs makes the list.
const slow: readonly string[] = JSON.parse(
  readFileSync(fileURLToPath(new URL('scripts/slow-tests.json', import.meta.url)), 'utf8'),
);
const slowOf = (folders: readonly string[]) =>
  slow.filter((file) => folders.some((folder) => file.startsWith(folder)) && !apart.includes(file));

// The same of the long tests: they load modules again with other settings, replace one, or measure the memory of the process.
const longApart = [
  'tests/long/editions/*.test.ts',
  'tests/long/floods/*.test.ts',
  'tests/long/in-process/*.test.ts',
  'packages/cli/test/long/serve-ready-file.test.ts',
  'packages/fleet/test/long/move-scanners.test.ts',
];

// Scanners that send much in real time, and clocks that are compared by the ms.
const peersOneByOne = ['tests/peers/ptp/*.test.ts', 'tests/peers/ros2/!(returned-reader).test.ts'];

// Scanners and receivers in real time, whose times are judged by the ms: one at a time, behind the others.
const longOneByOne = ['tests/long/core-socket/scans.test.ts', 'tests/long/timing/processes.test.ts'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    pool: 'forks',
    maxWorkers: Number(process.env.AZIMUTH_TEST_WORKERS) || 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', './scripts/count-reporter.mjs'],
    unstubEnvs: true,
    // The configuration of the developer neither changes results, nor is changed.
    env: {
      XDG_CONFIG_HOME: fileURLToPath(new URL('.cache/test-config', import.meta.url)),
      AZIMUTH_DEVICES: '',
      AZIMUTH_LOG: '',
      AZIMUTH_LOG_STORE: '',
    },
    setupFiles: ['./scripts/test-state.mjs'],
    // A test that only waits, or whose loop never runs, would pass whatever happens.
    expect: { requireAssertions: true, poll: { timeout: 20_000, interval: 10 } },
    projects: [
      {
        // The files that share a worker share its modules: loading them anew took most of the time. A worker is a process:
        // in threads, a program that one test starts would hold the ports of all others until it is loaded.
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/test/**/*.test.ts'],
          exclude: [...apart, ...slow, 'packages/*/test/long/**'],
          isolate: false,
          restoreMocks: true,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit-slow',
          include: slowOf(['packages/']),
          isolate: false,
          restoreMocks: true,
          testTimeout: 120_000,
        },
      },
      { extends: true, test: { name: 'unit-apart', include: apart, execArgv: ['--expose-gc'] } },
      {
        extends: true,
        test: {
          name: 'sockets',
          include: ['tests/**/*.test.ts', 'examples/driver-time/*.test.ts'],
          exclude: [...slow, 'tests/long/**', 'tests/peers/**'],
          // They talk to scanners from outside, and leave nothing in their own process that another could meet.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'sockets-slow',
          include: slowOf(['tests/', 'examples/']),
          isolate: false,
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: ['tests/long/**/*.test.ts', 'packages/*/test/long/*.test.ts'],
          exclude: [...longApart, ...longOneByOne],
          testTimeout: 120_000,
          isolate: false,
          restoreMocks: true,
        },
      },
      { extends: true, test: { name: 'long-apart', include: longApart, testTimeout: 120_000 } },
      {
        extends: true,
        test: {
          name: 'long-one-by-one',
          include: longOneByOne,
          testTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'peers',
          include: ['tests/peers/**/*.test.ts'],
          exclude: peersOneByOne,
          testTimeout: 120_000,
          isolate: false,
          restoreMocks: true,
        },
      },
      {
        // One at a time, behind the others.
        extends: true,
        test: {
          name: 'peers-one-by-one',
          include: peersOneByOne,
          testTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
