import type { PlacedScanner } from '../scene/mounted-scanners.js';
import type { Scene } from '../scene/scene-file.js';
import { PathFollower, ScannerMount } from './path.js';
import type { Trajectory } from './trajectory.js';

/** A scene with its motions, as one of its scanners sees it. */
export interface Viewpoint {
  readonly scene: Scene;
  /** The motions of the vehicles, in the order of the scene. */
  readonly vehicles: readonly Trajectory[];
  /** The scanner, if it has a name. */
  readonly scanner: PlacedScanner | undefined;
  /** The motion of the scanner. */
  readonly mount: ScannerMount;
}

type Vehicle = Pick<Scene['vehicles'][number], 'x' | 'y' | 'heading' | 'path'>;

/** Returns the motion of a vehicle: along its path, or standing. */
export function motionOf({ x, y, heading, path }: Vehicle): PathFollower | ScannerMount {
  return path === undefined ? new ScannerMount({ x, y, heading }) : new PathFollower(path);
}

/**
 * Returns how a scanner sees a scene.
 * @param scanner by default, the only scanner of a scene without names
 * @param vehicles their motions; by default, they follow their paths
 */
export function viewpointOf(
  scene: Scene,
  scanner?: PlacedScanner,
  vehicles: readonly Trajectory[] = scene.vehicles.map(motionOf),
): Viewpoint {
  const mount = scanner === undefined ? new ScannerMount(scene.scanner) : mountOf(scanner, vehicles);
  return { scene, vehicles, scanner, mount };
}

/** Returns the motion of a scanner with a name. */
export function mountOf(scanner: PlacedScanner, vehicles: readonly Trajectory[]): ScannerMount {
  return new ScannerMount(scanner, scanner.vehicle === undefined ? undefined : vehicles[scanner.vehicle]);
}
