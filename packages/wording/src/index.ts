/** @packageDocumentation @internal */

export { blocks, code, link, list, table } from './markdown.js';
export { nearestName } from './nearest-name.js';
export { jsonText, printable } from './printable.js';
