import { Tally } from '@azimuth/device';
import type { Loss } from './loss.js';

/** The data streams of a scanner. */
export const streamNames = ['scan', 'imu', 'encoder'] as const;

export type StreamName = (typeof streamNames)[number];

/** What became of the telegrams of a stream since the process started: plain numbers, no labels. */
export class StreamTally {
  /** Handed to the network, once for each receiver. */
  telegrams = 0;
  bytes = 0;
  /** Lost, or refused by whoever they were sent to. */
  readonly losses = new Tally<Loss>();
}

export type StreamTallies = Readonly<Record<StreamName, StreamTally>>;
