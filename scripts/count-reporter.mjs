import { leaveCount } from './test-count.mjs';

/** Ends a run with a plain line, `N passed, N failed`, and leaves it for `.ci/run`. */
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
    leaveCount(passed, failed);
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
  }
}
