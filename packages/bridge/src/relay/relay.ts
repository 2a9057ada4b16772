import type { WireFaults } from '@azimuth/simulation/faults';
import type { Control, ControlPorts } from '../control/open-ports.js';
import type { Destination } from '../streams/destination.js';
import { openOutgoing } from '../streams/open-outgoing.js';
import type { Outgoing } from '../streams/outgoing.js';
import { StreamRelay } from '../streams/stream-relay.js';
import { Timeline } from '../timeline/timeline.js';
import type { TimelineEntry } from '../timeline/timeline-entry.js';

/** Gets what passes, in the order in which it passes: a view, or a recording. */
export interface Follower {
  follow(entry: TimelineEntry): void;
  /** Gets nothing more. Rejects if what it got could not be kept. */
  end(): Promise<void>;
}

/** A part of a relay that is opened with it, and closed with it. */
interface Closable {
  close(): Promise<void>;
}

export interface RelayOptions {
  readonly destinations: readonly Destination[];
  /** Opens the ports for requests; undefined if only data streams pass. */
  readonly openControl?: ((timeline: Timeline) => Promise<Control>) | undefined;
  /** Opens the recording of requests and their responses. */
  readonly openSession?: ((timeline: Timeline) => Promise<Closable>) | undefined;
  /** Faults to put on data streams. */
  readonly faults?: WireFaults | undefined;
  readonly followers: readonly Follower[];
  /** Gets errors of followers. */
  readonly failed: (error: unknown) => void;
}

/** What stands between a scanner and its programs: one stream in, many out, requests passed on, and one timeline. */
export class Relay {
  /** Passes on telegrams: the sockets that receive from the scanner call `streams.arrived`. */
  readonly streams: StreamRelay;
  readonly outgoing: readonly Outgoing[];
  /** The open ports for requests. */
  readonly ports: ControlPorts;
  readonly #options: RelayOptions;
  /** In the order in which they are closed. */
  readonly #parts: readonly Closable[];

  private constructor(options: RelayOptions, { outgoing, control, session, timeline }: Parts) {
    const { faults, followers, failed } = options;
    this.#options = options;
    this.outgoing = outgoing;
    this.ports = control?.ports ?? {};
    this.#parts = [control, ...outgoing, session].filter((part) => part !== undefined);
    for (const follower of followers) timeline.follow((entry) => follower.follow(entry));
    this.streams = new StreamRelay({ timeline, outgoing, faults, failed });
  }

  /** Opens all ports and destinations, or none. @throws OpenError, PortTaken; errors of the file of the session */
  static async open(options: RelayOptions): Promise<Relay> {
    const timeline = new Timeline();
    const opened: Closable[] = [];
    try {
      const session = await options.openSession?.(timeline);
      if (session !== undefined) opened.push(session);
      const outgoing = await openOutgoing(options.destinations);
      opened.push(...outgoing);
      const control = await options.openControl?.(timeline);
      return new Relay(options, { outgoing, control, session, timeline });
    } catch (error) {
      await Promise.all(opened.map((part) => part.close()));
      throw error;
    }
  }

  /** Closes everything, and ends the followers, whatever fails. Rejects with the first error. */
  async close(): Promise<void> {
    const { faults, followers } = this.#options;
    faults?.close();
    this.streams.close();
    const ends: PromiseSettledResult<void>[] = [];
    for (const part of this.#parts) ends.push(...(await Promise.allSettled([part.close()])));
    ends.push(...(await Promise.allSettled(followers.map((follower) => follower.end()))));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }
}

interface Parts {
  readonly timeline: Timeline;
  readonly outgoing: readonly Outgoing[];
  readonly control: Control | undefined;
  readonly session: Closable | undefined;
}
