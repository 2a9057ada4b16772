import { readFile } from 'node:fs/promises';
import type { TimingAnalysis } from '@azimuth/client/timing';
import {
  decodeTelegram,
  type Recorded,
  RecordingError,
  readRecording,
  TelegramError,
} from '@azimuth/telegrams';
import { CommandFailure, unreadable } from '../command-failure.js';

/**
 * Passes on what a recording contains to an analysis (.azrec, pcap, pcapng).
 * @returns what is wrong with the file, if a part of it could be read; undefined otherwise
 * @throws CommandFailure if it cannot be read, or is no recording
 */
export async function readStreams(path: string, analysis: TimingAnalysis): Promise<string | undefined> {
  const bytes = await readFile(path).catch(unreadable(path));
  try {
    for (const recorded of readRecording(bytes)) analyse(recorded, analysis);
    return undefined;
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    if (analysis.telegrams === 0) throw new CommandFailure(`${path}: ${error.message}`);
    return `${path}: ${error.message}; what is before it was read`;
  }
}

function analyse({ telegram, time, from, to }: Recorded, analysis: TimingAnalysis): void {
  try {
    analysis.push(decodeTelegram(telegram), time / 1000, from, to);
  } catch (error) {
    if (!(error instanceof TelegramError)) throw error;
    analysis.damaged();
  }
}
