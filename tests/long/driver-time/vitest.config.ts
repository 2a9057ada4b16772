import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import base from '../../../vitest.config.js';
import { namedMistakes } from '../../support/driver-time.js';

/** Each test of docs/driver-time.md with the driver that makes the mistake named for it, all in one process. */
export default defineConfig({
  ...base,
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  test: {
    ...base.test,
    projects: undefined,
    maxWorkers: 1,
    isolate: false,
    include: namedMistakes.map(({ file }) => `examples/driver-time/${file}`),
    setupFiles: fileURLToPath(new URL('mistake.setup.ts', import.meta.url)),
  },
});
