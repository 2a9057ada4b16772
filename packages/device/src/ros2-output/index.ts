export { type BeamRange, passesInterval } from '../data-reduction/output-segments.js';
export { beamDirections } from '../mounting-position/beam-directions.js';
export { mostSegments, type ScanContent, scanContentFollows, scanContentOf } from './scan-content.js';
export { isNativeRos2, type Ros2Settings, ros2Follows, ros2SettingsOf } from './settings.js';
