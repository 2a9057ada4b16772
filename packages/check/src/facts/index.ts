/** @packageDocumentation @internal */

export { changedFacts, factDigests } from './fact-digests.js';
export { factLines } from './fact-lines.js';
