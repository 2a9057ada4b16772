export type { Manifest } from './container.js';
export { type Container, DamagedContainer, layout, type Pieces } from './container.js';
export { readContainer } from './container-reader.js';
export { type Purpose, writeContainer, writeSigned } from './container-writer.js';
export { isSignedBy } from './signature.js';
