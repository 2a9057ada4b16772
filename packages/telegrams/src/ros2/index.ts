export { decodeParticipantEntities, encodeParticipantEntities, humbleGuidBytes } from './discovery-info.js';
export type { Header } from './header.js';
export {
  decodeLaserScan,
  encodeLaserScan,
  type LaserScan,
  laserScanBytes,
  type ScanFacts,
} from './laser-scan.js';
export { ddsTypeName, type MessageType, messageTypes } from './message-types.js';
export {
  decodeMultiEchoLaserScan,
  encodeMultiEchoLaserScan,
  type MultiEchoLaserScan,
  multiEchoLaserScanBytes,
} from './multi-echo-laser-scan.js';
export {
  decodePointCloud,
  PointCloudWriter,
  pointBytes,
  pointCloudBytes,
  pointFields,
  pointProperty,
} from './point-cloud.js';
export { decodeTransforms, encodeTransforms, type Transform } from './tf-message.js';
