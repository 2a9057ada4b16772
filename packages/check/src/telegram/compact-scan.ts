import type { Beam } from './beam-facts.js';
import type { SegmentReading } from './segment-reading.js';
import { degrees, hex, type TelegramBytes } from './telegram-bytes.js';

/** What a telegram has at the offsets of its format, besides what all formats of scans have. */
const noRows = 'rows';

/**
 * Reads a segment of a scan in Compact, type 1 version 4, with one module of one row: the offsets of a 2D scanner.
 * @throws RangeError for a telegram that is too short for what it declares
 */
export function readCompactScan(telegram: TelegramBytes): SegmentReading {
  const rows = telegram.u32(52);
  if (rows !== 1) return { ...headOf(telegram), unreadable: `${rows} ${noRows}, not 1` };
  const columns = telegram.u32(56);
  const echoes = telegram.u32(60);
  const [echoBits, beamBits] = [telegram.u8(101), telegram.u8(102)];
  const echoBytes = 2 * ones(echoBits & 3);
  const beamBytes = echoes * echoBytes + (beamBits & 1) + (beamBits & 2);
  const end = 104 + columns * beamBytes;
  if (end + 4 > telegram.length) throw new RangeError(`${columns} beams of ${beamBytes} bytes do not fit`);
  const scale = telegram.f32(92);
  return {
    ...headOf(telegram),
    segment: telegram.u64(32),
    frame: telegram.u64(40),
    sender: String(telegram.u32(48)),
    rows,
    beams: columns,
    echoes,
    firstTime: telegram.u64(64),
    lastTime: telegram.u64(72),
    elevation: telegram.f32(80),
    firstAzimuth: degrees(telegram.f32(84)),
    lastAzimuth: degrees(telegram.f32(88)),
    scale,
    nextModule: telegram.u32(96),
    availability: telegram.u8(100),
    echoContent: echoBits,
    beamContent: beamBits,
    reserved: telegram.u8(103),
    beamBytes,
    spareBytes: telegram.length - end - 4,
    /** What the header says of the size, less what is there. */
    undeclaredBytes: telegram.length - 32 - telegram.u32(28) - 4,
    checksum: telegram.checksum(0, end),
    beamList: Array.from({ length: columns }, (_, index) =>
      beamAt(telegram, 104 + index * beamBytes, { echoes, echoBytes, echoBits, beamBits, scale }),
    ),
  };
}

function headOf(telegram: TelegramBytes) {
  return {
    kind: 'scan',
    format: 'Compact',
    bytes: telegram.length,
    marker: hex(telegram.u32(0)),
    type: telegram.u32(4),
    sequence: telegram.u64(8),
    transmitTime: telegram.u64(16),
    version: telegram.u32(24),
    moduleBytes: telegram.u32(28),
  } as const;
}

interface BeamForm {
  readonly echoes: number;
  readonly echoBytes: number;
  readonly echoBits: number;
  readonly beamBits: number;
  readonly scale: number;
}

function beamAt(
  telegram: TelegramBytes,
  at: number,
  { echoes, echoBytes, echoBits, beamBits, scale }: BeamForm,
): Beam {
  const places = Array.from({ length: echoes }, (_, echo) => at + echo * echoBytes);
  const end = at + echoes * echoBytes;
  const properties = (beamBits & 1) === 0 ? undefined : telegram.u8(end);
  const code = (beamBits & 2) === 0 ? undefined : telegram.u16(end + (beamBits & 1));
  return {
    azimuth: code === undefined ? undefined : ((code - 16384) / 5215) * (180 / Math.PI),
    distance: places.map((place) => ((echoBits & 1) === 0 ? 0 : telegram.u16(place) * scale)),
    rssi: (echoBits & 2) === 0 ? undefined : places.map((place) => telegram.u16(place + 2 * (echoBits & 1))),
    isReflector: properties === undefined ? undefined : (properties & 1) === 1,
    unknownBits: (properties ?? 0) & 0b0001_1110,
  };
}

/** Number of bits that are set. */
function ones(bits: number): number {
  return (bits & 1) + ((bits >> 1) & 1);
}
