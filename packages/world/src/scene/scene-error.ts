/** A scene that cannot be used. The message names every fault and its place, one a line. */
export class SceneError extends Error {
  override readonly name = 'SceneError';
}
