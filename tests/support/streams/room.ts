import { angleOfBeam, type Profile } from './profiles.js';

/** A room of 8 m by 5 m with a post in it, in m: the scanner is at 0, 0 and looks along x. */
const walls = { back: -3, front: 5, right: -2, left: 3 } as const;
const post = { x: 2, y: 1, radius: 0.15 } as const;

export const room = {
  name: 'room',
  polygons: [
    {
      points: [
        [walls.back, walls.right],
        [walls.front, walls.right],
        [walls.front, walls.left],
        [walls.back, walls.left],
      ],
    },
  ],
  circles: [{ center: [post.x, post.y], radius: post.radius }],
};

/** This room without noise. */
export const stillRoom = { ...room, noise: { enabled: false } };

/** Distance in mm from the scanner to the walls in a direction (rad). */
export function toWalls(direction: number): number {
  const along = Math.cos(direction);
  const across = Math.sin(direction);
  const x = along > 0 ? walls.front / along : walls.back / along;
  const y = across > 0 ? walls.left / across : walls.right / across;
  return (
    1000 * Math.min(along === 0 ? Number.POSITIVE_INFINITY : x, across === 0 ? Number.POSITIVE_INFINITY : y)
  );
}

/** Distance in mm to the post; undefined if a beam misses it. */
export function toPost(direction: number): number | undefined {
  const { x, y, radius } = post;
  const along = x * Math.cos(direction) + y * Math.sin(direction);
  const beside = y * Math.cos(direction) - x * Math.sin(direction);
  if (along < 0 || Math.abs(beside) > radius) return undefined;
  return 1000 * (along - Math.sqrt(radius * radius - beside * beside));
}

export function toNearest(direction: number): number {
  return toPost(direction) ?? toWalls(direction);
}

/** True if a beam passes so close to the edge of the post that it may or may not hit it. */
export function grazesPost(direction: number): boolean {
  const { x, y, radius } = post;
  const beside = Math.abs(y * Math.cos(direction) - x * Math.sin(direction));
  return x * Math.cos(direction) > 0 && Math.abs(beside - radius) < 0.01;
}

/** Direction of a beam of a segment, by the profile alone. */
export function directionOf(profile: Profile, segment: number, beam: number): number {
  return angleOfBeam(profile, segment * profile.beamsPerSegment + beam);
}
