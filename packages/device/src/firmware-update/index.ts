export {
  type Container,
  DamagedContainer,
  isSignedBy,
  layout,
  type Manifest,
  type Pieces,
  type Purpose,
  readContainer,
  writeContainer,
  writeSigned,
} from './firmware-container.js';
