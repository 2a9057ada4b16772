import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const cache = new URL('../.cache/', import.meta.url);

/** Ends a run with a plain line, `N passed, N failed`, and leaves it in .cache/test-count for `.ci/run`. */
export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    let passed = 0;
    let failed = unhandledErrors.length;
    for (const module of modules) {
      failed += module.errors().length;
      for (const test of module.children.allTests()) {
        if (test.result().state === 'passed') passed++;
        else failed++;
      }
    }
    const line = `${passed} passed, ${failed} failed`;
    mkdirSync(fileURLToPath(cache), { recursive: true });
    writeFileSync(fileURLToPath(new URL('test-count', cache)), `${line}\n`);
    process.stdout.write(`${line}\n`);
  }
}
