/** @packageDocumentation @internal */

export {
  type Container,
  DamagedContainer,
  isSignedBy,
  layout,
  type Pieces,
  readContainer,
  writeContainer,
  writeSigned,
} from './firmware-container.js';
