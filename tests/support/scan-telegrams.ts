import type { ScanModule, ScanTelegram } from '@azimuth/telegrams';

interface Facts {
  readonly sequence: number;
  readonly frame: number;
  readonly segment: number;
  readonly sender?: number;
  /** Beams, one degree apart. */
  readonly columns?: number;
  readonly echoes?: number;
  /** Degrees that a segment spans. */
  readonly span?: number;
  readonly transmitTime?: number;
  readonly more?: Partial<ScanModule>;
}

/** A telegram of scan data: the first echo of each beam lies at 1000 mm and a millimetre more for each beam. */
export function telegramOf(facts: Facts): ScanTelegram {
  const { sequence, frame, segment, sender = 24_000_001, echoes = 1, span = 30, more = {} } = facts;
  const { columns = 3, transmitTime = 1_000_000 + sequence * 6000 } = facts;
  const first = ((-138 + span * segment) * Math.PI) / 180;
  const last = first + ((columns - 1) * Math.PI) / 180;
  const places = columns * echoes;
  return {
    sequence,
    transmitTime,
    modules: [
      {
        segmentIndex: segment,
        frameNumber: frame,
        sender,
        rows: 1,
        columns,
        echoes,
        firstBeamTime: [transmitTime - 5000],
        lastBeamTime: [transmitTime],
        elevation: [0],
        firstAzimuth: [first],
        lastAzimuth: [last],
        scale: 1,
        availability: 1,
        distance: Float32Array.from({ length: places }, (_, place) =>
          place % echoes === 0 ? 1000 + place / echoes : 0,
        ),
        rssi: new Uint16Array(places).fill(500 + segment),
        properties: new Uint8Array(columns),
        ...more,
      },
    ],
  };
}

/** The telegrams of whole frames of segments 0 to `last`, one after the other. */
export function framesOf(numbers: readonly number[], last: number, sequence = 1): ScanTelegram[] {
  return numbers.flatMap((frame) =>
    Array.from({ length: last + 1 }, (_, segment) => telegramOf({ sequence: sequence++, frame, segment })),
  );
}
