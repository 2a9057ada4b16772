/** Why a packet of a capture holds no telegram. */
export const reason = {
  noIp: 'no IP',
  noUdp: 'no UDP (TCP, for example)',
  cut: 'cut off when they were captured',
  fragment: 'fragments of datagrams, of which others are missing',
  foreign: 'UDP that does not begin like a telegram',
} as const;

/** Counts packets of a capture that hold no telegram, by the reason. */
export class LeftOut {
  readonly #counts = new Map<string, number>();

  count(why: string, packets = 1): void {
    this.#counts.set(why, (this.#counts.get(why) ?? 0) + packets);
  }

  /** Each reason and how many packets have it, the commonest first. */
  get counts(): readonly (readonly [string, number])[] {
    return [...this.#counts].filter(([, packets]) => packets > 0).sort(([, one], [, other]) => other - one);
  }
}
