import type { SceneFile } from '@azimuth/simulation/world';

/** m. */
const length = 40;
const width = 30;
const shortest = 0.2;
const longest = 1.5;
/** Around the middle, where the scanner is. */
const free = 2;

/** Position and heading of the scanner: m and radians. */
export interface Pose {
  readonly x: number;
  readonly y: number;
  readonly heading: number;
}

/**
 * A room of 40 m × 30 m with short walls at random positions, the same in every run.
 * @param lines the number of lines, including the four outer walls
 */
export function sceneOf(lines: number): SceneFile {
  const random = randomNumbers();
  const [right, top] = [length / 2, width / 2];
  const walls: NonNullable<SceneFile['walls']>[number][] = [
    { from: [-right, -top], to: [right, -top] },
    { from: [right, -top], to: [right, top] },
    { from: [right, top], to: [-right, top] },
    { from: [-right, top], to: [-right, -top] },
  ];
  while (walls.length < lines) {
    const x = (random() - 0.5) * (length - 2 * longest);
    const y = (random() - 0.5) * (width - 2 * longest);
    const long = shortest + random() * (longest - shortest);
    const angle = random() * 2 * Math.PI;
    if (Math.hypot(x, y) < free + longest) continue;
    walls.push({ from: [x, y], to: [x + long * Math.cos(angle), y + long * Math.sin(angle)] });
  }
  return { name: `a scene of ${lines} lines`, walls };
}

/** Poses near the middle of the scene, so that each scan differs from the one before. */
export const poses: readonly Pose[] = Array.from({ length: 16 }, (_, pose) => ({
  x: Math.cos(pose),
  y: Math.sin(2 * pose),
  heading: pose * 0.7,
}));

/** Uniform numbers from 0 to below 1 (a linear congruential generator). */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
