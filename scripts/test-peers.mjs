// npm run test:peers [-- vitest arguments]: what needs programs beside Node, and other releases of Node. As root it
// installs what is missing; otherwise it says how. What is still missing fails the run with CI=true alone.
import { failsWithout, preparePeers } from './peer-programs.mjs';
import { prepare } from './prepare.mjs';
import { runTests, scripts } from './test-projects.mjs';

prepare('bundled', 'page', 'built');
const { exclusions, variables, missing } = preparePeers();
const status = runTests(scripts['test:peers'], [...exclusions, ...process.argv.slice(2)], variables);
process.exitCode = failsWithout(missing) ? 1 : status;
