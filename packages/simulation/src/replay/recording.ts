import type { Motion } from '@azimuth/device';
import { atRest } from '@azimuth/device/cores';
import {
  decodeTelegram,
  type ImuTelegram,
  packetsLeftOut,
  readRecording,
  type Telegram,
  TelegramError,
} from '@azimuth/telegrams';
import { memoryOf, type RecordedSegment, recordedSegment } from './recorded-segment.js';

/** Thrown if a recording cannot be played. The message says what it contains. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
}

/** A scan (one revolution of the mirror) of a recording. */
export interface RecordedScan {
  readonly frame: number;
  /** Time of reception of its first telegram, in µs. */
  readonly received: number;
  /** The segments by their index. */
  readonly segments: Map<number, RecordedSegment>;
}

/**
 * Adds the next segment of a recording to its scan. A repeated segment counts once. A segment of the scan before the last may
 * arrive late.
 */
function addSegment(scans: RecordedScan[], received: number, segment: RecordedSegment): void {
  const { frame, index } = segment;
  const last = scans.at(-1);
  const previous = scans.at(-2);
  if (last?.frame === frame) last.segments.set(index, segment);
  else if (previous?.frame === frame) previous.segments.set(index, segment);
  else scans.push({ frame, received, segments: new Map([[index, segment]]) });
}

/** Numbers stored for a motion: the time of reception, and ten of the motion. */
const numbersPerMotion = 11;

/** Memory of a motion in bytes. */
const motionBytes = 8 * numbersPerMotion;

/** The motions of a recording, in the order of reception. */
export class RecordedMotion {
  readonly #stored: number[] = [];
  #count = 0;

  /** Adds a motion. `received` in µs. A motion received before the last one is ignored. */
  add(received: number, { acceleration, angularVelocity, orientation }: ImuTelegram): void {
    if (this.#count > 0 && received < this.#timeOf(this.#count - 1)) return;
    this.#stored.push(received, ...acceleration, ...angularVelocity, ...orientation);
    this.#count++;
  }

  /** Returns the last motion received up to this time, or else the first one; at rest if there is none. */
  at(received: number): Motion {
    if (this.#count === 0) return atRest;
    let low = 0;
    let high = this.#count - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#timeOf(middle) <= received) low = middle;
      else high = middle - 1;
    }
    const number = (index: number) => this.#stored[low * numbersPerMotion + index] ?? 0;
    return {
      acceleration: [number(1), number(2), number(3)],
      angularVelocity: [number(4), number(5), number(6)],
      orientation: [number(7), number(8), number(9), number(10)],
    };
  }

  #timeOf(index: number): number {
    return this.#stored[index * numbersPerMotion] ?? 0;
  }
}

/** Largest recording in bytes, as a file and in memory: more than an hour of most scanners. */
export const largestRecording = 512 * 2 ** 20;

/** The content of a recording. */
interface RecordingContents {
  readonly scans: readonly RecordedScan[];
  readonly motion: RecordedMotion;
  /** Telegrams that belong to these scans. */
  readonly scanTelegrams: number;
  /** Telegrams that cannot be played: broken, of another scanner, without beams. */
  readonly unused: number;
  /** The reasons why telegrams cannot be played, each with the number of telegrams. Empty if anything can be played. */
  readonly reasons: readonly (readonly [string, number])[];
}

/** A telegram of a recording, decoded. */
export interface DecodedRecord {
  /** Time of reception: µs since 1970. */
  readonly time: number;
  readonly telegram: Telegram;
}

/** A recording: the bytes of our own format or of a capture, or its telegrams, which another reader has decoded. */
export type PlayedRecording = Uint8Array | Iterable<DecodedRecord>;

/**
 * Reads the parts of a recording that can be played: the segments of the first scanner in it, and motions.
 * @throws RecordingError if the file is not a recording, or is broken
 * @throws ReplayError if it uses too much memory
 */
export function contentsOf(recording: PlayedRecording): RecordingContents {
  const scans: RecordedScan[] = [];
  const motion = new RecordedMotion();
  let sender: number | undefined;
  let memory = 0;
  let scanTelegrams = 0;
  let unused = 0;
  const problems = new Map<string, number>();
  const broken = (problem: string) => {
    if (problems.size < mostReasons || problems.has(problem))
      problems.set(problem, (problems.get(problem) ?? 0) + 1);
  };
  for (const { time, telegram: decoded } of recordsOf(recording, broken)) {
    if (decoded?.kind === 'imu') {
      motion.add(time, decoded.telegram);
      memory += motionBytes;
    }
    const segment = decoded?.kind === 'scan' ? recordedSegment(decoded.telegram) : undefined;
    sender ??= segment?.sender;
    if (segment !== undefined && segment.sender === sender) {
      addSegment(scans, time, segment);
      memory += memoryOf(segment);
      scanTelegrams++;
    } else if (decoded === undefined || decoded.kind === 'scan') {
      unused++;
    }
    if (memory > largestRecording) {
      throw new ReplayError(
        `the recording takes more than ${largestRecording / 2 ** 20} MiB of memory (${scans.length} scans up to there): cut it`,
      );
    }
  }
  const reasons =
    scanTelegrams > 0
      ? []
      : [
          ...[...problems].map(([fault, telegrams]) => [`damaged or unknown: ${fault}`, telegrams] as const),
          ...(recording instanceof Uint8Array ? packetsLeftOut(recording) : []),
        ];
  return { scans, motion, scanTelegrams, unused, reasons };
}

/** Yields the telegrams of a recording; undefined for a broken one. @param broken gets the reason */
function* recordsOf(
  recording: PlayedRecording,
  broken: (reason: string) => void,
): Generator<{ readonly time: number; readonly telegram: Telegram | undefined }> {
  if (!(recording instanceof Uint8Array)) {
    yield* recording;
    return;
  }
  for (const { time, telegram } of readRecording(recording)) {
    yield { time, telegram: decodedOrBroken(telegram, broken) };
  }
}

/** Reasons that a message lists. */
const mostReasons = 4;

/** Decodes a telegram; undefined if it is broken. @param broken gets the reason */
function decodedOrBroken(bytes: Uint8Array, broken: (reason: string) => void): Telegram | undefined {
  try {
    return decodeTelegram(bytes);
  } catch (error) {
    if (!(error instanceof TelegramError)) throw error;
    broken(error.message);
    return undefined;
  }
}

/** Numbers that a message lists; further ones are counted. */
const mostListed = 12;

/**
 * Returns the scans to play: all of a recording, but not the first and the last one if they are incomplete. A scan in between
 * that has lost segments is played without them. A scanner with an angle range leaves segments out. Then a scan is complete
 * if at least two scans have the same segments and no scan has more. A single scan is complete if it has the segments from 0
 * on.
 * @throws ReplayError if no scan is left, or if the segments of a complete scan are unknown
 */
export function playableScans({
  scans,
  scanTelegrams,
  unused,
  reasons,
}: RecordingContents): readonly RecordedScan[] {
  const indices = new Set<number>();
  for (const { segments } of scans) for (const index of segments.keys()) indices.add(index);
  const complete = scans.filter(({ segments }) => segments.size === indices.size);
  const isFromZero = indices.has(0) && Math.max(...indices) === indices.size - 1;
  const played = scans.filter(
    ({ segments }, place) => segments.size === indices.size || (place > 0 && place < scans.length - 1),
  );
  if (played.length > 0 && (isFromZero || complete.length > 1)) return played;
  if (scanTelegrams === 0) {
    throw new ReplayError(
      `the recording holds no scan: no telegram of Compact or MSGPACK that can be played, ${unused} that cannot${listOfReasons(reasons)}`,
    );
  }
  const telegrams = `${scanTelegrams} ${scanTelegrams === 1 ? 'telegram' : 'telegrams'}`;
  const frames = listed(
    'frame',
    scans.map(({ frame }) => frame),
  );
  const segments = listed(
    'segment',
    [...indices].sort((one, other) => one - other),
  );
  const hint = isFromZero ? '' : '. Of a scanner that leaves segments out, two complete scans are needed';
  throw new ReplayError(
    `the recording holds no complete scan: ${telegrams}, ${segments} of ${frames}${hint}`,
  );
}

/** Lists the commonest reasons: ` (12 packets: no UDP)`. */
function listOfReasons(reasons: readonly (readonly [string, number])[]): string {
  const most = reasons.toSorted(([, one], [, other]) => other - one).slice(0, mostReasons);
  return most.length === 0 ? '' : `. Left out: ${most.map(([why, count]) => `${count} ${why}`).join('; ')}`;
}

function listed(what: string, numbers: readonly number[]): string {
  const some = numbers.slice(0, mostListed).join(', ');
  const more = numbers.length > mostListed ? ` and ${numbers.length - mostListed} more` : '';
  return `${numbers.length === 1 ? what : `${what}s`} ${some}${more}`;
}
