import { decodeTelegram, readRecording, type Telegram, TelegramError } from '@azimuth/telegrams';
import { motionBytes, RecordedMotion } from './recorded-motion.js';
import { memoryOf, recordedSegment } from './recorded-segment.js';
import { RecordedTurns, ReplayError, type Turn } from './recorded-turns.js';

/** Memory that what is played may take: an hour and more of most scanners. */
const mostMemory = 512 * 2 ** 20;

/** What is played of a recording, and what it was made of. */
export interface Contents {
  readonly turns: readonly Turn[];
  readonly motion: RecordedMotion;
  /** Telegrams of scans that are played. */
  readonly scanTelegrams: number;
  /** Telegrams that are not played: broken, of another scanner, without beams. */
  readonly unused: number;
}

/**
 * Takes what can be played out of a recording: the segments of the first scanner in it, and motions.
 * @throws RecordingError where the file is none, or broken.
 * @throws ReplayError where it takes too much memory.
 */
export function contentsOf(bytes: Uint8Array): Contents {
  const recorded = new RecordedTurns();
  const motion = new RecordedMotion();
  let sender: number | undefined;
  let memory = 0;
  let scanTelegrams = 0;
  let unused = 0;
  for (const { time, telegram } of readRecording(bytes)) {
    const decoded = wholeTelegram(telegram);
    if (decoded?.kind === 'imu') {
      motion.add(time, decoded.telegram);
      memory += motionBytes;
    }
    const segment = decoded?.kind === 'scan' ? recordedSegment(decoded.telegram) : undefined;
    sender ??= segment?.sender;
    if (segment !== undefined && segment.sender === sender) {
      recorded.add(time, segment);
      memory += memoryOf(segment);
      scanTelegrams++;
    } else if (decoded === undefined || decoded.kind === 'scan') {
      unused++;
    }
    if (memory > mostMemory) {
      throw new ReplayError(
        `the recording takes more than ${mostMemory / 2 ** 20} MiB of memory (${recorded.turns.length} turns up to there): cut it`,
      );
    }
  }
  return { turns: recorded.turns, motion, scanTelegrams, unused };
}

/** What a telegram holds; undefined where it is broken. */
function wholeTelegram(bytes: Uint8Array): Telegram | undefined {
  try {
    return decodeTelegram(bytes);
  } catch (error) {
    if (error instanceof TelegramError) return undefined;
    throw error;
  }
}

/** Numbers that a message lists before it says how many more there are. */
const mostListed = 12;

/**
 * The turns that are played: all of a recording, but for the first and the last one where the recording begins or ends in
 * the middle of them. A turn in between that has lost segments is played without them.
 * @throws ReplayError where no turn is left, or a segment is missing in all of them: nobody can tell then what the
 * scanner saw.
 */
export function wholeTurns({ turns, scanTelegrams, unused }: Contents): readonly Turn[] {
  const indices = new Set<number>();
  let last = 0;
  for (const { segments } of turns) {
    for (const index of segments.keys()) {
      indices.add(index);
      last = Math.max(last, index);
    }
  }
  const count = last + 1;
  const played = turns.filter(
    ({ segments }, place) => segments.size === count || (place > 0 && place < turns.length - 1),
  );
  if (indices.size === count && played.length > 0) return played;
  if (scanTelegrams === 0) {
    throw new ReplayError(
      `the recording holds no scan: no telegram of Compact or MSGPACK that can be played, ${unused} that cannot`,
    );
  }
  const telegrams = `${scanTelegrams} ${scanTelegrams === 1 ? 'telegram' : 'telegrams'}`;
  const frames = listed(
    'frame',
    turns.map(({ frame }) => frame),
  );
  const segments = listed(
    'segment',
    [...indices].sort((one, other) => one - other),
  );
  throw new ReplayError(`the recording holds no complete scan: ${telegrams}, ${segments} of ${frames}`);
}

function listed(what: string, numbers: readonly number[]): string {
  const some = numbers.slice(0, mostListed).join(', ');
  const more = numbers.length > mostListed ? ` and ${numbers.length - mostListed} more` : '';
  return `${numbers.length === 1 ? what : `${what}s`} ${some}${more}`;
}
