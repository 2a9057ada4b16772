export { type Container, DamagedContainer, layout, type Pieces } from './container.js';
export { readContainer } from './container-reader.js';
export { type Purpose, writeContainer, writeSigned } from './container-writer.js';
export type { Manifest } from './manifest.js';
export { isSignedBy } from './signature.js';
