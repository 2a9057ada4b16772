import type { MeasuringCore } from '../ports/measuring-core.js';
import type { Random } from '../ports/random.js';

/** What a scanner sees that nobody has told what to see. */
export const usualScene = 'warehouse-aisle';

/** The core of a scanner that was given none: one of the ready scenes, with noise that is like no other. */
export async function usualCore(random: Random): Promise<MeasuringCore> {
  const { SceneCore, readyScene } = await import('../scene/index.js');
  return new SceneCore({ scene: await readyScene(usualScene), seed: seedOf(random) });
}

function seedOf(random: Random): number {
  return new DataView(random.bytes(4).slice().buffer).getUint32(0);
}
