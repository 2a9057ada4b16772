export { loadScene, parseScene, readyScene, readyScenes } from './load-scene.js';
export { readyMaterials } from './materials.js';
export { RayCaster } from './ray-caster.js';
export { SceneCore } from './scene-core.js';
export { SceneError } from './scene-error.js';
export { mostElements, type Scene, type SceneFile, sceneJsonSchema } from './scene-file.js';
export { SceneMeasurement } from './scene-measurement.js';
export { World } from './world.js';
