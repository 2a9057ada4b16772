import type { Clock, Log } from '@azimuth/device';
import { codeOf } from '@azimuth/device/documents';
import { Tally } from '@azimuth/device/reports';
import { failureFreeTime } from './limits.js';

/** Reasons why a telegram does not get through: in a word for metrics, and in words for the log. */
const losses = {
  refused: 'nobody listens at that port',
  unreachable: 'there is no route to it',
  too_large: 'it is larger than a datagram may be',
  not_permitted: 'the system does not permit it',
  congested: 'too many telegrams already wait for the network',
  slow: 'it does not read as fast as it is sent to',
  no_port: 'port 0 cannot be used',
  inner: 'it could not be encoded',
  other: 'the network fails',
} as const;

export type Loss = keyof typeof losses;

const lossNames = Object.keys(losses).filter(isLoss);

function isLoss(name: string): name is Loss {
  return Object.hasOwn(losses, name);
}

const byCode: Readonly<Record<string, Loss>> = {
  ECONNREFUSED: 'refused',
  ENETUNREACH: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  // Error of Linux for a destination that the address of the sender cannot reach.
  EINVAL: 'unreachable',
  EMSGSIZE: 'too_large',
  EACCES: 'not_permitted',
  EPERM: 'not_permitted',
  ENOBUFS: 'congested',
  EAGAIN: 'congested',
};

/** Returns the loss that a socket error means. */
export function lossOf(error: Error): Loss {
  return byCode[codeOf(error) ?? ''] ?? 'other';
}

function lossText(loss: Loss): string {
  return losses[loss];
}

/** Data streams of a scanner: telegrams, and the messages of native ROS 2. */
export const streamNames = ['scan', 'imu', 'encoder', 'ros2'] as const;

export type StreamName = (typeof streamNames)[number];

/** Metrics of a stream's telegrams since the process started: plain numbers without labels. */
export class StreamMetrics {
  /** Number of telegrams that were handed to the network, once for each receiver. */
  telegrams = 0;
  bytes = 0;
  /** Number of telegrams that were lost, or refused by their receiver. */
  readonly losses = new Tally(lossNames);
}

export type StreamMetricsByName = Readonly<Record<StreamName, StreamMetrics>>;

interface OutageOptions {
  readonly clock: Clock;
  readonly begins: (reason: string) => void;
  readonly ends: () => void;
}

/** Logs when telegrams begin to be lost, and when they are delivered again. */
class Outage {
  readonly #options: OutageOptions;
  #isOn = false;
  #lastLoss = 0;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** Records that a telegram got through. */
  through(): void {
    if (!this.#isOn || this.#options.clock.monotonic() - this.#lastLoss < failureFreeTime) return;
    this.#isOn = false;
    this.#options.ends();
  }

  /** Records that a telegram did not get through. */
  lost(reason: string): void {
    this.#lastLoss = this.#options.clock.monotonic();
    if (this.#isOn) return;
    this.#isOn = true;
    this.#options.begins(reason);
  }
}

interface DeliveryOptions {
  /** Name of the stream, in words for the log. */
  readonly description: string;
  readonly destination: string;
  readonly metrics: StreamMetrics;
  readonly clock: Clock;
  readonly log: Log;
}

/** One of several receivers of the same telegrams. */
interface Receiver {
  /** Name of the receiver in the log. */
  readonly name: string;
}

/**
 * Counts the sent and lost telegrams of a stream to one destination. It logs when telegrams begin to be lost, and when
 * they are delivered again: for all receivers, and for single receivers that lose telegrams.
 */
export class Sending {
  readonly #options: DeliveryOptions;
  readonly #outage: Outage;
  readonly #outages = new WeakMap<Receiver, Outage>();

  constructor(options: DeliveryOptions) {
    this.#options = options;
    const { description, destination, clock, log } = options;
    this.#outage = new Outage({
      clock,
      begins: (reason) => log.warn(`${description}: telegrams do not get through`, { destination, reason }),
      ends: () => log.info(`${description}: telegrams get through again`, { destination }),
    });
  }

  /** Records that telegrams can be received from now on. @param how continues the line of the log */
  begins(how = ''): void {
    const { description, destination, log } = this.#options;
    log.info(`${description}: sending started${how}`, { destination });
  }

  sent(bytes: number): void {
    const { metrics } = this.#options;
    metrics.telegrams += 1;
    metrics.bytes += bytes;
    this.#outage.through();
  }

  failed(loss: Loss, error?: Error): void {
    this.#options.metrics.losses.add(loss);
    this.#outage.lost(error === undefined ? lossText(loss) : `${lossText(loss)} (${error.message})`);
  }

  sentTo(receiver: Receiver, bytes: number): void {
    this.sent(bytes);
    this.#outages.get(receiver)?.through();
  }

  /** Records a loss for this receiver only. */
  missedBy(receiver: Receiver, loss: Loss): void {
    this.#options.metrics.losses.add(loss);
    this.#outageOf(receiver).lost(lossText(loss));
  }

  #outageOf(receiver: Receiver): Outage {
    const known = this.#outages.get(receiver);
    if (known !== undefined) return known;
    const { description, destination, clock, log } = this.#options;
    const client = receiver.name;
    const outage = new Outage({
      clock,
      begins: (reason) =>
        log.warn(`${description}: one client loses telegrams`, { destination, client, reason }),
      ends: () => log.info(`${description}: this client gets all telegrams again`, { destination, client }),
    });
    this.#outages.set(receiver, outage);
    return outage;
  }
}

/** Reason why a stream that is on cannot send, in a word for metrics. */
export type BlockReason = Loss | 'format' | 'no_address' | 'port_closed';
