/** @packageDocumentation @internal */

export { decodeParticipantEntities, encodeParticipantEntities, humbleGuidBytes } from './discovery-info.js';
export { decodeImuMessage, encodeImuMessage, type ImuMessage } from './imu.js';
export {
  decodeLaserScan,
  decodeMultiEchoLaserScan,
  encodeLaserScan,
  encodeMultiEchoLaserScan,
  type LaserScan,
  laserScanBytes,
  type MultiEchoLaserScan,
  multiEchoLaserScanBytes,
  type ScanFacts,
  scanValues,
} from './laser-scan.js';
export { definitionText, messageDefinitions } from './message-definitions.js';
export type { Header } from './message-types.js';
export { ddsTypeName, type MessageType, messageTypes } from './message-types.js';
export { decodeClock, decodeOdometry, encodeClock, encodeOdometry, type Odometry } from './odometry.js';
export {
  decodePointCloud,
  PointCloudWriter,
  pointBytes,
  pointCloudBytes,
  pointFields,
  pointProperty,
} from './point-cloud.js';
export { decodeTransforms, encodeTransforms, type Transform } from './tf-message.js';
