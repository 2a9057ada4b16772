/** @packageDocumentation @experimental */

/** @stable */
export { type FaultPlan, FaultPlanError } from '@azimuth/model/faults';
export {
  controlledVehicle,
  type Odometry,
  type ScanSelection,
  scanTruth,
  type VehiclePose,
  virtualControls,
} from './control/controls.js';
/** @stable */
export { FaultTimeline, type ListedFault } from './faults/index.js';
export { ReplayCore, ReplayError, type ReplayOptions } from './replay/index.js';
export { TemperatureModel } from './temperature-model.js';
/** @stable */
export { usualCore, usualScene } from './usual-core.js';
/** @stable */
export { VirtualHardware } from './virtual-hardware.js';
export {
  isScenePath,
  loadScene,
  parseScene,
  readyScene,
  readyScenes,
  type ScanTruth,
  type Scene,
  SceneCore,
  SceneError,
  type SceneFile,
  type TrueBeam,
  type TrueSurface,
  World,
} from './world/index.js';
