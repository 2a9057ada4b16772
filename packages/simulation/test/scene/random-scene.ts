import type { SceneFile } from '../../src/world/index.js';

/** Evenly distributed numbers from a seed (Park and Miller). */
export function randomNumbers(seed: number): () => number {
  let state = seed + 1;
  for (let round = 0; round < 5; round++) state = (state * 48_271) % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Walls and circles all about the origin; ends on a raster of so many m, if given. */
export function randomScene(seed: number, walls: number, circles: number, raster = 0): SceneFile {
  const random = randomNumbers(seed);
  const snapped = (value: number) => (raster > 0 ? Math.round(value / raster) * raster : value);
  const place = (span: number) => snapped((random() - 0.5) * span);
  const entries = Array.from({ length: walls }, () => {
    const x = place(40);
    const y = place(30);
    return { from: [x, y], to: [snapped(x + place(4)), snapped(y + place(4))] } as const;
  });
  return {
    walls: entries,
    circles: Array.from({ length: circles }, () => ({
      center: [place(40), place(30)] as const,
      radius: 0.05 + random() * 2,
    })),
  };
}
