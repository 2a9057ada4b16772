import { decodeTelegram, readRecording, type Telegram, TelegramError } from '@azimuth/telegrams';
import { motionBytes, RecordedMotion } from './recorded-motion.js';
import { memoryOf, recordedSegment } from './recorded-segment.js';
import { RecordedTurns, type Turn } from './recorded-turns.js';
import { ReplayError } from './replay-error.js';

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
