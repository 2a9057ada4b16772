// npm test [-- vitest arguments]: what needs nothing but Node, in two minutes, from a fresh clone on. With a file or a folder,
// slow tests that are in it run, too.
// npm run test:long [-- vitest arguments]: the slow tests of all folders, and campaigns in a short form.
import { prepare } from './prepare.mjs';
import { quick, runTests, scripts, slow } from './test-projects.mjs';

const args = process.argv.slice(2);
const isLong = args[0] === '--long';
if (isLong) args.shift();
const isStated = args.some((arg) => arg.startsWith('--project'));
const namesPlaces = args.some((arg) => /^(packages|tests|examples)\b/.test(arg));
const usual = isLong ? scripts['test:long'] : namesPlaces ? [...quick, ...slow] : quick;
prepare('bundled', 'page', 'built');
process.exitCode = runTests(isStated ? [] : usual, args);
