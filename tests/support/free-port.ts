/** The benchmark uses it, too. */
export { freePort } from '../../bench/src/processes/free-port.js';
