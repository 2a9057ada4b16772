import type { Scanner } from '@azimuth/client';
import type { Received } from '@azimuth/client/receive';
import { nameOf } from '@azimuth/device/ros2';
import type { BridgeLogin } from './bridge-login.js';

/** A data stream that a bridge passes on. */
export type BridgedStream = 'scan' | 'imu';

/** Gets each telegram, at once. */
export type OnReceived = (received: Received) => void;

export interface ReceiveMeans {
  readonly signal: AbortSignal;
  /** Called when telegrams can arrive. */
  readonly onOpen: () => void;
  readonly onReceived: OnReceived;
}

/** A scanner as the bridges use it. */
export interface BridgedScanner {
  /**
   * Its part of topics, frames and names of parameters: letters, digits and underscores. Empty if it is the only one.
   */
  readonly name: string;
  /** Its name for people. */
  readonly title: string;
  /** Reads, without a login. */
  readonly scanner: Scanner;
  /** The login at the same scanner; undefined if the bridge has no password. */
  readonly login: BridgeLogin | undefined;
  /**
   * Receives a stream until the signal is aborted.
   * @throws Error if they cannot arrive any more; its message is one line for people
   */
  receive(stream: BridgedStream, means: ReceiveMeans): Promise<void>;
}

/** Returns names of scanners as parts of topics: `hall-gate3` becomes `hall_gate3`. Equal ones get a number. */
export function topicNamesOf(labels: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return labels.map((label) => {
    const name = nameOf(label.replace(/^[a-z]+:\/\//i, '')) || 'scanner';
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name}_${number}`;
    taken.add(free);
    return free;
  });
}
