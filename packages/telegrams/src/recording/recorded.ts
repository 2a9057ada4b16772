/** A telegram of a recording. */
export interface Recorded {
  /** Time of reception: µs since 1970-01-01T00:00 UTC. */
  readonly time: number;
  /** The received bytes. Only the start marker has been checked. */
  readonly telegram: Uint8Array;
  /** Address of the sender, `192.168.0.1:2115`; undefined in an Azimuth recording, which does not have it. */
  readonly from?: string | undefined;
  /** Address of the receiver, in the same form. */
  readonly to?: string | undefined;
}

/** Thrown if a file is not a recording, or is damaged. The message names the problem and its position. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

/** Reasons why a packet of a capture contains no telegram. */
export const reason = {
  noIp: 'no IP',
  noUdp: 'no UDP (TCP, for example)',
  cut: 'cut off when they were captured',
  fragment: 'fragments of datagrams, of which others are missing',
  foreign: 'UDP that does not begin like a telegram',
} as const;

/** Counts packets of a capture that contain no telegram, by the reason. */
export class LeftOut {
  readonly #counts = new Map<string, number>();

  count(why: string, packets = 1): void {
    this.#counts.set(why, (this.#counts.get(why) ?? 0) + packets);
  }

  /** The reasons and their numbers of packets, the commonest first. */
  get counts(): readonly (readonly [string, number])[] {
    return [...this.#counts].filter(([, packets]) => packets > 0).sort(([, one], [, other]) => other - one);
  }
}
