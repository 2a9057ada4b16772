import type { SceneFile } from '@azimuth/world/scene';

/** m. */
const length = 40;
const width = 30;
const shortest = 0.2;
const longest = 1.5;
/** Around the middle, where the scanner is. */
const free = 2;

/** Where the scanner is, and where it looks: m and radians. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly heading: number;
}

/**
 * A hall of 40 m × 30 m with short walls at random, the same in every run.
 * @param lines of the whole scene, the four walls of the hall included.
 */
export function hallOf(lines: number): SceneFile {
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
  return { name: `a hall of ${lines} lines`, walls };
}

/** Places about the middle of the hall: a scan from another one each time is none that was seen before. */
export const places: readonly Place[] = Array.from({ length: 16 }, (_, place) => ({
  x: Math.cos(place),
  y: Math.sin(2 * place),
  heading: place * 0.7,
}));

/** Even numbers from 0 up to below 1 (a linear congruential generator). */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
