import type { Device } from '@azimuth/device';
import type { LinkFaults } from '@azimuth/device/faults';
import { type Ros2Settings, ros2SettingsOf } from '@azimuth/device/ros2';
import { reopenAfter } from '../network/limits.js';
import type { ListeningAddress } from '../network/listening-address.js';
import type { NodeOptions } from '../ros2/node.js';
import { type BlockReason, lossOf, Sending, type StreamMetrics } from './delivery.js';

/** Counters of native ROS 2 since the process started: plain numbers without labels. */
export class Ros2Metrics {
  /** Number of messages that were sent again, because a reader lacked them. */
  repaired = 0;
  /** Number of datagrams that were not understood. */
  ignored = 0;
}

/** The domain and the namespace of a node. After a change it leaves, and joins anew. */
interface RosSettings {
  readonly domain: number;
  readonly namespace: string;
}

/** A node that has joined a domain. */
interface RosNode {
  /** Number of participants of other programs, and of their readers of topics of the node. */
  readonly peers: number;
  readonly readers: number;
  /** Applies settings that do not require leaving the domain. */
  follow(): void;
  /** Leaves the domain. */
  close(): void;
}

/** What can join a domain. */
export interface RosRole<Settings extends RosSettings> {
  /** What it is, for the log. */
  readonly words: string;
  /** Returns the present settings; undefined while it is off. */
  readonly settings: (device: Device) => Settings | undefined;
  /** Joins the domain of the settings. Its modules are loaded then. Rejects if no port can be opened. */
  readonly join: (options: NodeOptions, settings: Settings) => Promise<RosNode>;
}

/** The scanner as a node: while ScanDataEnable is on and ScanDataFormat is NativeROS2. */
export const scannerRole: RosRole<Ros2Settings> = {
  words: 'the scanner',
  settings: ({ parameters }) => ros2SettingsOf(parameters),
  join: async (options, settings) => {
    const { ScannerNode } = await import('../ros2/scanner-node.js');
    return ScannerNode.join(options, settings);
  },
};

interface Options<Settings extends RosSettings> {
  readonly role: RosRole<Settings>;
  readonly device: Device;
  /** Address of the scanner. */
  readonly address: ListeningAddress;
  /** Addresses to announce the scanner at, beside multicast. */
  readonly peers: readonly string[];
  readonly metrics: StreamMetrics;
  /** The network cable; undefined if it always stays in. */
  readonly link?: LinkFaults | undefined;
}

/** State in which it joins a domain. */
interface Joining {
  readonly kind: 'joining';
  /** Reason why the attempt before has failed; undefined at the first one. */
  readonly blockedBy: BlockReason | undefined;
  /** Fulfilled when it has joined, or cannot. */
  done: Promise<void>;
}

/** State in which it is a node of a domain. */
interface Joined {
  readonly kind: 'in';
  readonly node: RosNode;
  /** Stops checking for other addresses of this machine. */
  cancel: () => void;
}

type State =
  | { readonly kind: 'out' }
  | Joining
  | Joined
  /** State in which nothing can be published. It tries again, unless the scanner has no address. */
  | { readonly kind: 'blocked'; readonly blockedBy: BlockReason; readonly cancel: () => void };

/** Native ROS 2: a node while its settings say so. After a change of domain, namespace or address it leaves, and joins anew. */
export class Ros2Stream<Settings extends RosSettings> {
  readonly metrics = new Ros2Metrics();
  readonly #options: Options<Settings>;
  /** Domain, namespace and address for which it is in this state. */
  #key: string | undefined;
  #state: State = { kind: 'out' };

  constructor(options: Options<Settings>) {
    this.#options = options;
  }

  /** Reason why nothing can be published although it is on; undefined while something can be, and while it is off. */
  get blockedBy(): BlockReason | undefined {
    const state = this.#state;
    return state.kind === 'joining' || state.kind === 'blocked' ? state.blockedBy : undefined;
  }

  /** Fulfilled when it has joined the domain, or cannot; undefined if that is known already. */
  get beginning(): Promise<void> | undefined {
    return this.#state.kind === 'joining' ? this.#state.done : undefined;
  }

  /** Number of participants of other programs in the domain, and of their readers of topics of the scanner. */
  get others(): { readonly peers: number; readonly readers: number } {
    if (this.#state.kind !== 'in') return { peers: 0, readers: 0 };
    const { peers, readers } = this.#state.node;
    return { peers, readers };
  }

  /** Applies the present parameters. */
  follow(): void {
    const { device, address, role } = this.#options;
    const settings = role.settings(device);
    const host = address.inForce;
    const key = settings && JSON.stringify([settings.domain, settings.namespace, host]);
    if (key === this.#key) {
      if (this.#state.kind === 'in') this.#state.node.follow();
      return;
    }
    this.#leave();
    this.#key = key;
    if (settings !== undefined) this.#enter(settings, host);
  }

  /** Leaves the domain at once. */
  close(): void {
    this.#key = undefined;
    this.#leave();
  }

  #leave(): void {
    const state = this.#state;
    this.#state = { kind: 'out' };
    if (state.kind === 'in' || state.kind === 'blocked') state.cancel();
    if (state.kind !== 'in') return;
    state.node.close();
    const { device, role } = this.#options;
    device.hardware.log.info(`ROS 2: ${role.words} has left the domain`);
  }

  #enter(settings: Settings, host: string | undefined): void {
    // A scanner without an address sends nothing.
    if (host === undefined) {
      this.#state = { kind: 'blocked', blockedBy: 'no_address', cancel: () => undefined };
      return;
    }
    const joining: Joining = { kind: 'joining', blockedBy: this.blockedBy, done: Promise.resolve() };
    this.#state = joining;
    joining.done = this.#join(joining, settings, host);
  }

  async #join(joining: Joining, settings: Settings, host: string): Promise<void> {
    const { device, peers, metrics, link, role } = this.#options;
    const {
      clock,
      hardware: { log },
    } = device;
    const destination = `domain ${settings.domain}`;
    const sending = new Sending({ description: 'ROS 2', destination, metrics, clock, log });
    try {
      const [{ haveAddressesChanged, networkOf }, { announcementInterval }] = await Promise.all([
        import('../ros2/network.js'),
        import('../ros2/limits.js'),
      ]);
      const reachable = await networkOf(host, peers);
      const network =
        link === undefined ? reachable : reachable && { ...reachable, isDown: () => link.down !== undefined };
      if (joining !== this.#state) return;
      if (network === undefined) {
        this.#failed(joining, settings, host, 'no_address', `${host} has no IPv4 address`);
        return;
      }
      const { outOfReach } = network;
      if (outOfReach.length > 0) {
        log.warn(
          'ROS 2: a scanner on loopback cannot reach the addresses of --ros-peer: give it --host, too',
          {
            addresses: outOfReach,
          },
        );
      }
      const counts = {
        sent: (bytes: number) => sending.sent(bytes),
        failed: (error?: Error) => sending.failed(error === undefined ? 'congested' : lossOf(error), error),
        repaired: () => {
          this.metrics.repaired += 1;
        },
        ignored: () => {
          this.metrics.ignored += 1;
        },
      };
      const node = await role.join({ device, network, counts }, settings);
      if (joining !== this.#state) {
        node.close();
        return;
      }
      // The settings may have changed meanwhile.
      node.follow();
      const joined: Joined = { kind: 'in', node, cancel: () => undefined };
      this.#state = joined;
      this.#joinAnewIf(joined, () => haveAddressesChanged(network), announcementInterval);
    } catch (error) {
      if (joining !== this.#state) return;
      const problem = error instanceof Error ? error : new Error(String(error));
      this.#failed(joining, settings, host, lossOf(problem), problem.message);
    }
  }

  /** Repeats a check until it leaves the domain. @param interval ms */
  #joinAnewIf(joined: Joined, isDue: () => boolean, interval: number): void {
    const { clock, hardware } = this.#options.device;
    joined.cancel = clock.after(interval, () => {
      if (!isDue()) {
        this.#joinAnewIf(joined, isDue, interval);
        return;
      }
      hardware.log.info('ROS 2: this machine has other addresses now');
      this.#key = undefined;
      this.follow();
    });
  }

  #failed(joining: Joining, settings: Settings, host: string, why: BlockReason, reason: string): void {
    const { device, role } = this.#options;
    const {
      clock,
      hardware: { log },
    } = device;
    if (joining.blockedBy === undefined) {
      log.warn(`ROS 2: ${role.words} cannot join the domain; trying again`, {
        domain: settings.domain,
        reason,
      });
    }
    const cancel = clock.after(reopenAfter, () => this.#enter(settings, host));
    this.#state = { kind: 'blocked', blockedBy: why, cancel };
  }
}
