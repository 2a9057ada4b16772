/** @packageDocumentation @internal */

export { checkConformity } from './conformity.js';
