import type { ScanGeometry } from '@azimuth/device';
import type { Pose } from '../../src/motion/pose.js';
import type { Scene } from '../../src/world/index.js';

export interface Hit {
  readonly distance: number;
  readonly cosine: number;
}

type Bodies = Pick<Scene, 'walls' | 'circles'>;

/**
 * Checks every beam against every wall and circle, in coordinates of the scene. The caster must find the same.
 * @param margin by which walls are longer at each end, in m
 */
export function castByForce(
  scene: Bodies,
  geometry: ScanGeometry,
  pose: Pose,
  margin: number,
): (Hit | undefined)[] {
  return Array.from({ length: geometry.beams }, (_, beam) => hitOfBeam(scene, geometry, pose, beam, margin));
}

/** Returns what one beam of a scanner at this pose meets first. */
export function hitOfBeam(
  scene: Bodies,
  { firstAngle, step }: ScanGeometry,
  pose: Pose,
  beam: number,
  margin: number,
): Hit | undefined {
  const angle = pose.heading + ((firstAngle + beam * step) * Math.PI) / 180;
  return nearestHitOf(scene, pose, Math.cos(angle), Math.sin(angle), margin);
}

function nearestHitOf(scene: Bodies, pose: Pose, dx: number, dy: number, margin: number): Hit | undefined {
  let nearest: Hit | undefined;
  const meet = (distance: number, cosine: number) => {
    if (nearest === undefined || distance < nearest.distance) nearest = { distance, cosine };
  };
  for (const { from, to } of scene.walls) {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const ux = (to[0] - from[0]) / length;
    const uy = (to[1] - from[1]) / length;
    // The wall's own coordinates: along it, and across it from its line to the scanner.
    const along = (pose.x - from[0]) * ux + (pose.y - from[1]) * uy;
    const across = (pose.y - from[1]) * ux - (pose.x - from[0]) * uy;
    if (!(Math.abs(across) > 1e-6)) continue;
    const distance = -across / (dy * ux - dx * uy);
    const met = along + distance * (dx * ux + dy * uy);
    if (distance > 0 && Number.isFinite(distance) && met >= -margin && met <= length + margin)
      meet(distance, Math.abs(dy * ux - dx * uy));
  }
  for (const { center, radius } of scene.circles) {
    const ox = pose.x - center[0];
    const oy = pose.y - center[1];
    const half = ox * dx + oy * dy;
    const root = half * half - (ox * ox + oy * oy - radius * radius);
    if (root < 0) continue;
    const inside = Math.hypot(ox, oy) <= radius;
    const distance = inside ? -half + Math.sqrt(root) : -half - Math.sqrt(root);
    if (distance > 1e-6) meet(distance, Math.sqrt(root) / radius);
  }
  return nearest;
}

/** A crossing of a beam with a wall or circle. */
export interface Crossing extends Hit {
  /** 1 if it enters (across a wall that runs clockwise about the scanner, or into a circle), -1 if it leaves. */
  readonly sign: number;
}

/** Returns all crossings of one beam of a scanner at this pose, the nearest first. */
export function crossingsOfBeam(
  { walls, circles }: Bodies,
  { firstAngle, step }: ScanGeometry,
  pose: Pose,
  beam: number,
  margin: number,
): Crossing[] {
  const angle = pose.heading + ((firstAngle + beam * step) * Math.PI) / 180;
  const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
  const ofWalls = walls.flatMap((wall): Crossing[] => {
    const hit = nearestHitOf({ walls: [wall], circles: [] }, pose, dx, dy, margin);
    const [ax, ay] = [wall.from[0] - pose.x, wall.from[1] - pose.y];
    const [bx, by] = [wall.to[0] - pose.x, wall.to[1] - pose.y];
    return hit === undefined ? [] : [{ ...hit, sign: ax * by - ay * bx > 0 ? -1 : 1 }];
  });
  const ofCircles = circles.flatMap(({ center, radius }): Crossing[] => {
    const [awayX, awayY] = [center[0] - pose.x, center[1] - pose.y];
    const along = awayX * dx + awayY * dy;
    const aside = Math.abs(dx * awayY - dy * awayX);
    if (aside > radius) return [];
    const half = Math.sqrt(radius * radius - aside * aside);
    const cosine = half / radius;
    return [
      { distance: along - half, cosine, sign: 1 },
      { distance: along + half, cosine, sign: -1 },
    ].filter(({ distance }) => distance > 0);
  });
  return [...ofWalls, ...ofCircles].sort((a, b) => a.distance - b.distance);
}
