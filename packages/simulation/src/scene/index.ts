/** @packageDocumentation @internal */

export {
  isScenePath,
  jsonProblem,
  largestScene,
  loadScene,
  parseScene,
  readyScene,
  readyScenes,
} from './load-scene.js';
export { RayCaster } from './ray-caster.js';
export { SceneBodies } from './scene-bodies.js';
export { type ScanTruth, SceneCore, SceneMeasurement } from './scene-core.js';
export { mostElements, type Scene, SceneError, type SceneFile, sceneJsonSchema } from './scene-file.js';
export { readyMaterials } from './surfaces.js';
export type { TrueBeam, TrueSurface } from './truth.js';
