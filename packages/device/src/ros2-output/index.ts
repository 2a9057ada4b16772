/** @packageDocumentation @experimental */

export { type BeamRange, passesInterval } from '../data-reduction/output-segments.js';
export { beamDirections } from '../mounting-position/beam-directions.js';
export {
  isNativeRos2,
  mostSegments,
  type Ros2Settings,
  ros2Follows,
  ros2SettingsOf,
  type ScanContent,
  scanContentFollows,
  scanContentOf,
} from './scan-content.js';
