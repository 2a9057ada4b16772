/** @packageDocumentation @internal */

export { RayCaster } from '../casting/ray-caster.js';
export { SceneBodies } from '../casting/scene-bodies.js';
export { SceneError } from '../file-problems.js';
export { ScannerMount } from '../motion/path.js';
export {
  isScenePath,
  jsonProblem,
  largestScene,
  loadScene,
  parseScene,
  readyScene,
  readyScenes,
} from '../scene/load-scene.js';
export { type PlacedScanner, scannersOf } from '../scene/mounted-scanners.js';
export {
  mostElements,
  type Scene,
  type SceneFile,
  sceneJsonSchema,
} from '../scene/scene-file.js';
export { readyMaterials } from '../scene/surfaces.js';
export { type ScanTruth, SceneCore, SceneMeasurement } from './scene-core.js';
export type { ScanMoment, TrueBeam, TruePose, TrueSurface } from './truth.js';
export { unnamedVehicle, World } from './world.js';
