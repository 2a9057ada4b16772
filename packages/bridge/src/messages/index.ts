/** @packageDocumentation @internal */

export { imuOf, type SensorPosition, transformsOf, unmoved } from './motion-messages.js';
export {
  laserScanOf,
  multiEchoLaserScanOf,
  type PointChoice,
  pointCloudOf,
  rangeMax,
} from './scan-messages.js';
export { type MessageSchema, messageEncoding, messageSchemas } from './schemas.js';
export { stampOfFrame, stampOfTelegram } from './stamps.js';
