export { loadScene, parseScene, readyScene, readyScenes } from './load-scene.js';
export { RayCaster } from './ray-caster.js';
export { SceneCore } from './scene-core.js';
export { SceneError } from './scene-error.js';
export { mostElements, type Scene, type SceneFile, sceneJsonSchema } from './scene-file.js';
export { SceneMeasurement } from './scene-measurement.js';
export { readyMaterials } from './surfaces.js';
export { World } from './world.js';
