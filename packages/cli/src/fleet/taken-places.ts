import type { UnitPorts } from '@azimuth/fleet';

/** Where the fleet itself listens. */
export interface FrontPlace {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

/** What each port of a scanner is for. */
const purposes = [
  ['http', 'HTTP'],
  ['https', 'HTTPS'],
  ['legacyA', 'the legacy protocol'],
  ['legacyB', 'the legacy protocol'],
] as const;

/** The addresses and ports at which scanners of a fleet listen. No two may share one. */
export class TakenPlaces {
  readonly #groups = new Map<string, string>();
  readonly #front: FrontPlace | undefined;

  /** @param front where the fleet itself listens, if that is known */
  constructor(front?: FrontPlace) {
    this.#front = front;
  }

  /**
   * Takes the ports of a scanner of a group.
   * @returns why it cannot have them, and what to choose instead; undefined if it can
   */
  take(ports: UnitPorts, group: string): string | undefined {
    const own = new Map<number, string>();
    for (const [name, purpose] of purposes) {
      const { host, [name]: port } = ports;
      if (port === 0) continue;
      const place = `${host}:${port}`;
      const other = own.get(port);
      if (other !== undefined)
        return `at ${place}, a scanner would have both ${other} and ${purpose}; choose another port`;
      own.set(port, purpose);
      if (this.#isFront(host, port))
        return `${place} is the port of the fleet itself; choose another port or address, or give the fleet another --port`;
      const owner = this.#groups.get(place);
      if (owner !== undefined) {
        const advice = name === 'http' ? 'port or address so that they differ' : 'another address';
        const what = name === 'http' ? place : `${place}, for ${purpose},`;
        return `${what} is also used in ${owner}; choose ${advice}`;
      }
      this.#groups.set(place, group);
    }
    return undefined;
  }

  #isFront(host: string, port: number): boolean {
    const front = this.#front;
    if (front === undefined || front.port !== port) return false;
    return (
      ['0.0.0.0', '::', host].includes(front.host) || (front.host === 'localhost' && host === '127.0.0.1')
    );
  }
}
