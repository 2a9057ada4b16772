import type { UdpReceiver } from './receiver.js';
import type { Segment, Telegram } from './telegram.js';
import type { VirtualScanner } from './virtual-scanner.js';

export interface Beam {
  /** Degrees. */
  readonly angle: number;
  /** mm, of each place for an echo. */
  readonly distance: readonly number[];
  readonly rssi: readonly number[];
  readonly properties: readonly number[];
}

export interface Frame {
  readonly number: number;
  readonly segments: readonly Segment[];
  readonly beams: readonly Beam[];
}

/** The complete frames of a stream, without its first and last one. */
export function framesOf(telegrams: readonly Telegram[]): readonly Frame[] {
  const segments = telegrams.flatMap((telegram) => (telegram.kind === 'scan' ? telegram.segments : []));
  const byFrame = new Map<number, Segment[]>();
  for (const segment of segments)
    byFrame.set(segment.frame, [...(byFrame.get(segment.frame) ?? []), segment]);
  return [...byFrame].slice(1, -1).map(([number, parts]) => ({
    number,
    segments: parts,
    beams: parts.flatMap(beamsOf),
  }));
}

function beamsOf(segment: Segment): readonly Beam[] {
  return segment.distance.map((distance, beam) => ({
    angle: ((segment.azimuth?.[beam] ?? Number.NaN) * 180) / Math.PI,
    distance,
    rssi: segment.rssi?.[beam] ?? [],
    properties: segment.properties?.[beam] ?? [],
  }));
}

/** The whole frames of the time that now passes; a change made before holds in all of them. */
export async function framesOver(
  scanner: VirtualScanner,
  receiver: UdpReceiver,
  milliseconds: number,
): Promise<readonly Frame[]> {
  // The current revolution began before the change.
  await scanner.pass(70);
  receiver.rest();
  await scanner.pass(milliseconds);
  return framesOf(receiver.rest());
}

/** A frame as the scanner sends it now. */
export async function frameNow(scanner: VirtualScanner, receiver: UdpReceiver): Promise<Frame> {
  const [frame] = await framesOver(scanner, receiver, 210);
  if (frame === undefined) throw new Error('no whole frame came');
  return frame;
}

/** The beam in this direction (degrees). */
export function beamAt({ beams }: Frame, angle: number): Beam {
  const found = beams.find((beam) => Math.abs(beam.angle - angle) < 0.02);
  if (found === undefined) throw new Error(`no beam at ${angle}°`);
  return found;
}
