import { leaveCount } from './test-count.mjs';

/** Ends a run with a plain line, `N passed, N failed`, and leaves it, with what failed, for `.ci/run`. */
export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    let passed = 0;
    const failures = unhandledErrors.map((error) => failure('outside of every test', [error]));
    for (const module of modules) {
      const errors = module.errors();
      if (errors.length > 0) failures.push(failure(module.relativeModuleId, errors));
      for (const test of module.children.allTests()) {
        const { state, errors: ofTest = [] } = test.result();
        if (state === 'passed') passed++;
        else failures.push(failure(`${module.relativeModuleId} > ${test.fullName}`, ofTest));
      }
    }
    leaveCount(passed, failures);
    process.stdout.write(`${passed} passed, ${failures.length} failed\n`);
  }
}

/** What failed and why, in as many lines as a reader of a log needs. */
function failure(where, errors) {
  const reasons = errors.map(({ message, stack = '', diff = '' }) => {
    const places = stack.split('\n').filter((line) => /^\s*at .*\/(packages|tests)\//.test(line));
    return [message, diff, ...places.slice(0, 4)].filter((line) => line !== '').join('\n');
  });
  return [`FAILED ${where}`, ...reasons].join('\n').slice(0, 4000);
}
