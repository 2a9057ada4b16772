import type { Scene } from './scene-file.js';

type FixedScanner = Scene['scanners'][number];
type Vehicle = Scene['vehicles'][number];

/** A scanner with a name, and its place: on a vehicle, or fixed in the scene. */
export interface PlacedScanner extends FixedScanner {
  /** Its path in the scene file: `scanners[0]`, `vehicles[0].scanners[1]`. */
  readonly object: string;
  /** The name of its vehicle; undefined if it is fixed. */
  readonly vehicle: string | undefined;
  /** The path of its vehicle, if it follows one. */
  readonly path: Vehicle['path'];
}

/** Returns the scanners of a scene that have names: the fixed ones, then those of the vehicles. */
export function scannersOf({ scanners, vehicles }: Scene): readonly PlacedScanner[] {
  const fixed = scanners.map((scanner, index) => ({
    ...scanner,
    object: `scanners[${index}]`,
    vehicle: undefined,
    path: undefined,
  }));
  const mounted = vehicles.flatMap((vehicle, at) =>
    vehicle.scanners.map((scanner, index) => ({
      ...scanner,
      object: `vehicles[${at}].scanners[${index}]`,
      vehicle: vehicle.name,
      path: vehicle.path,
    })),
  );
  return [...fixed, ...mounted];
}
