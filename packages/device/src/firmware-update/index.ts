/** @packageDocumentation @experimental */

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
