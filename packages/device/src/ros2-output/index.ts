/** @packageDocumentation @internal */

export { type BeamRange, passesInterval } from '../data-reduction/output-segments.js';
export { beamDirections } from '../mounting-position/beam-directions.js';
export { frameOf, nameOf, namespaceOf, topicNames, topicParts, transformTopics } from './names.js';
export {
  isNativeRos2,
  mostSegments,
  type Ros2Settings,
  ros2SettingsOf,
  ros2Variables,
  rosDomainOf,
  type ScanContent,
  scanContentOf,
  scanContentVariables,
} from './scan-content.js';
