import type { Scene } from './scene-file.js';

/** A scanner with a name, and its place: on a vehicle, or fixed in the scene. */
export interface PlacedScanner extends NamedScanner {
  /** Its path in the scene file: `scanners[0]`, `vehicles[0].scanners[1]`. */
  readonly object: string;
  /** Which of the vehicles carries it; undefined if it is fixed. */
  readonly vehicle: number | undefined;
}

type NamedScanner = Scene['scanners'][number];

/** Returns the scanners of a scene that have names: the fixed ones, then those of the vehicles. */
export function scannersOf({ scanners, vehicles }: Scene): readonly PlacedScanner[] {
  return [
    ...placed(scanners, '', undefined),
    ...vehicles.flatMap((vehicle, index) => placed(vehicle.scanners, `vehicles[${index}].`, index)),
  ];
}

function placed(scanners: Scene['scanners'], place: string, vehicle: number | undefined): PlacedScanner[] {
  return scanners.map((scanner, index) => ({ ...scanner, object: `${place}scanners[${index}]`, vehicle }));
}

/** Returns the housings of scanners as boxes, without that of one scanner: it does not see its own. */
export function housingsOf(scanners: Scene['scanners'], except: string | undefined): Scene['boxes'] {
  return scanners.flatMap(({ name, x, y, heading, housing }) =>
    name === except || housing === false ? [] : [{ center: [x, y], heading, ...housing }],
  );
}
