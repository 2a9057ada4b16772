import type { ValueOf } from '@azimuth/model';
import { beamDirections } from '../mounting-position/beam-directions.js';
import type { ScanGeometry } from '../scan/scan-geometry.js';
import type { BeamSpans } from './distance-filter.js';

/** A cosine of 90° is not quite 0: a point as close as this to a face is on it. mm. */
const rounding = 0.001;

/**
 * LFPcubicareafilter: where each beam goes into the cuboid and where it leaves it. The cuboid stands in the coordinates
 * of the machine (mm); SensorPosition says how the scanner is mounted there. Its faces belong to it. Nothing is inside
 * where a minimum is above its maximum.
 */
export function cuboidSpans(
  geometry: ScanGeometry,
  cuboid: ValueOf<'LFPcubicareafilter'>,
  position: ValueOf<'SensorPosition'>,
): BeamSpans {
  const { x, y, z } = beamDirections(geometry, position);
  const spans = {
    nearest: new Float64Array(geometry.beams),
    furthest: new Float64Array(geometry.beams).fill(Number.POSITIVE_INFINITY),
  };
  narrow(spans, x, cuboid.lXMin - position.x, cuboid.lXMax - position.x);
  narrow(spans, y, cuboid.lYMin - position.y, cuboid.lYMax - position.y);
  narrow(spans, z, cuboid.lZMin - position.z, cuboid.lZMax - position.z);
  return spans;
}

/**
 * Narrows the spans to what is between two planes, `low` and `high` mm from the scanner along an axis. A beam that runs
 * along the planes meets them at ±∞, on the sides that make it inside or outside altogether.
 * @param direction how far each beam gets along the axis by one mm.
 */
function narrow({ nearest, furthest }: BeamSpans, direction: Float64Array, low: number, high: number): void {
  for (let beam = 0; beam < direction.length; beam++) {
    // Never -0, which would turn the signs of both infinities.
    const along = (direction[beam] ?? 0) + 0;
    const toLow = (low - rounding) / along;
    const toHigh = (high + rounding) / along;
    nearest[beam] = Math.max(nearest[beam] ?? 0, along < 0 ? toHigh : toLow);
    furthest[beam] = Math.min(furthest[beam] ?? 0, along < 0 ? toLow : toHigh);
  }
}
