export { passesInterval } from '../data-reduction/output-segments.js';
export { echoesOf, type ScanContent, scanContentFollows, scanContentOf } from './scan-content.js';
export { isNativeRos2, type Ros2Settings, ros2Follows, ros2SettingsOf, rotationOf } from './settings.js';
