import type { Socket } from 'node:net';
import type { Device, Faults } from '@azimuth/device';
import {
  type CableWatch,
  type HostAndPort,
  type OpenPorts,
  PortInUse,
  tcpListener,
  urlOf,
} from '@azimuth/http';
import { legacyProtocols, type Variable } from '@azimuth/model';
import { AddressFollower, DeduplicatedLog } from '../network/address-follower.js';
import type { ListeningAddress } from '../network/listening-address.js';
import { MovingListener } from '../network/moving-listener.js';
import type { Wire } from '../wire.js';
import { LegacyMetrics } from './session-output.js';
import { Sessions } from './sessions.js';

const { EtherAuxEnabled, EtherAuxIPPort, EtherHostIPPort } = legacyProtocols.members;

/** Ports that override the settings; 0 for any free port, which is kept. */
export interface LegacyPorts {
  readonly portA?: number | undefined;
  readonly portB?: number | undefined;
  /** If a port of the settings is in use when the scanner starts, it listens at any free port instead. */
  readonly useFreePortIfInUse?: boolean | undefined;
}

/** The ports in use; null for an interface that does not listen. */
export interface LegacyPortNumbers {
  readonly legacyA: number | null;
  readonly legacyB: number | null;
}

/** Those of a scanner whose legacy interfaces are disabled. */
export const noLegacyPorts: LegacyPortNumbers = { legacyA: null, legacyB: null };

interface Options {
  readonly device: Device;
  readonly address: ListeningAddress;
  readonly ports: LegacyPorts;
  /** Planned faults; undefined for a scanner that has none. */
  readonly faults?: Faults | undefined;
  readonly cable?: CableWatch | undefined;
  readonly openPorts?: OpenPorts | undefined;
}

interface Interface {
  readonly listener: LegacyListener;
  readonly follower: AddressFollower;
  /** Was its port set by its command-line option? */
  readonly isChosen: boolean;
}

/**
 * The legacy interfaces A (text) and B (binary). They are open at the ports of the network settings in force, while
 * these enable them. Both accept both framings.
 */
export class LegacyInterfaces implements Wire {
  readonly metrics = new LegacyMetrics();
  readonly #device: Device;
  readonly #faults: Faults | undefined;
  readonly #useFreePortIfInUse: boolean;
  readonly #a: Interface;
  readonly #b: Interface;
  #isOpen = false;
  /** Created with the first connection, because it follows every change from then on. */
  #sessions: Sessions | undefined;

  constructor({ device, address, ports, faults, cable, openPorts }: Options) {
    this.#device = device;
    this.#faults = faults;
    this.#useFreePortIfInUse = ports.useFreePortIfInUse === true;
    const make = (letter: 'A' | 'B', setting: Variable<number>, port?: number) =>
      this.#interface(
        new LegacyListener({
          name: `Legacy interface ${letter}`,
          port: () => port ?? device.features.network.active.read(setting),
          flag: `--legacy-${letter.toLowerCase()}-port`,
          moved: (listeningAt) =>
            device.host.log.info(`Legacy interface ${letter} listens at ${urlOf(listeningAt, 'tcp')}`),
          connected: (socket) => this.#connected(socket),
          failed: (error) => device.errors.report('legacy', error),
          cable,
          openPorts,
        }),
        address,
        port !== undefined,
      );
    this.#a = make('A', EtherAuxIPPort, ports.portA);
    this.#b = make('B', EtherHostIPPort, ports.portB);
    device.features.network.onActivated(() => {
      if (this.#isOpen) this.#follow();
    });
  }

  /** The address of interface A; undefined while it does not listen. */
  get a(): HostAndPort | undefined {
    return this.#a.listener.listeningAt;
  }

  get b(): HostAndPort | undefined {
    return this.#b.listener.listeningAt;
  }

  get ports(): LegacyPortNumbers {
    return { legacyA: this.a?.port ?? null, legacyB: this.b?.port ?? null };
  }

  /** A number that stays the same while nothing is received and sent. */
  get activity(): number {
    const { telegrams, sessions } = this.metrics;
    return telegrams.of('in') + telegrams.of('out') + sessions;
  }

  /** The login state; undefined until the first connection. */
  get access(): Sessions['access'] | undefined {
    return this.#sessions?.access;
  }

  /**
   * Opens both. If a port of the settings is in use, it is retried, or replaced by any free port.
   * @throws PortTaken for a port that was set by its option
   */
  async open(): Promise<void> {
    this.#isOpen = true;
    if (!this.#isEnabled) return;
    for (const { listener, follower, isChosen } of [this.#a, this.#b]) {
      try {
        await follower.open();
      } catch (error) {
        if (isChosen) throw error;
        if (this.#useFreePortIfInUse && error instanceof PortInUse)
          await this.#openAtFreePort(listener, follower);
        else follower.reopen();
      }
    }
  }

  down(): void {
    this.close();
  }

  /** Like `open`, but every port that is in use is retried. */
  up(): void {
    this.#isOpen = true;
    this.#follow();
  }

  /** Closes both and every session, at once. */
  close(): void {
    this.#isOpen = false;
    for (const { follower } of [this.#a, this.#b]) follower.close();
  }

  async #openAtFreePort(listener: LegacyListener, follower: AddressFollower): Promise<void> {
    const port = listener.wantedPort;
    listener.useFreePort();
    await follower.open();
    const { name, url } = listener;
    this.#device.host.log.info(`${name} listens at ${url}, because the configured port ${port} is in use`);
  }

  get #isEnabled(): boolean {
    return this.#device.features.network.active.read(EtherAuxEnabled);
  }

  #follow(): void {
    yieldPort(this.#a, this.#b);
    yieldPort(this.#b, this.#a);
    for (const { follower } of [this.#a, this.#b]) {
      if (this.#isEnabled) follower.reopen();
      else follower.close();
    }
  }

  #interface(listener: LegacyListener, address: ListeningAddress, isChosen: boolean): Interface {
    const { clock, host } = this.#device;
    const log = new DeduplicatedLog(host.log);
    return { listener, isChosen, follower: new AddressFollower({ listener, address, clock, log }) };
  }

  #connected(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    this.#sessions ??= new Sessions({
      device: this.#device,
      metrics: this.metrics,
      faults: this.#faults,
    });
    this.#sessions.take(socket);
  }
}

/** Closes a listener that must leave its port, if the other interface needs that port: they may swap ports. */
function yieldPort({ listener: leaving }: Interface, { listener: coming }: Interface): void {
  if (leaving.hasWrongPort && leaving.listeningAt?.port === coming.wantedPort) leaving.close();
}

interface LegacyListenerOptions {
  readonly name: string;
  /** The configured port; 0 for any free port, which it keeps. May change between calls. */
  readonly port: () => number;
  /** The option that chooses the port. */
  readonly flag: string;
  /** Called when it listens at a new port. */
  readonly moved: (listeningAt: HostAndPort) => void;
  readonly connected: (socket: Socket) => void;
  /** Called with unexpected errors of a connection. */
  readonly failed: (error: unknown) => void;
  readonly cable: CableWatch | undefined;
  readonly openPorts: OpenPorts | undefined;
}

/** The listener of one of the two legacy interfaces. */
class LegacyListener extends MovingListener {
  readonly #options: LegacyListenerOptions;
  #lastPort = 0;
  /** The configured port that was in use: a free port replaces it until another port is configured. */
  #portInUse = 0;

  constructor(options: LegacyListenerOptions) {
    const { name, flag, connected, failed, cable, openPorts } = options;
    super({
      name,
      scheme: 'tcp',
      // A client may close its sending side and still wait for its answers.
      make: () => {
        const listener = tcpListener(connected, failed, { allowHalfOpen: true });
        cable?.watch(listener);
        return listener;
      },
      port: 0,
      flag,
      openPorts,
    });
    this.#options = options;
  }

  get hasWrongPort(): boolean {
    const wanted = this.wantedPort;
    return wanted !== 0 && this.listeningAt !== undefined && this.listeningAt.port !== wanted;
  }

  /** 0 for the present port. */
  get wantedPort(): number {
    const port = this.#options.port();
    return port === this.#portInUse ? 0 : port;
  }

  /** Uses any free port until another port is configured. */
  useFreePort(): void {
    this.#portInUse = this.#options.port();
    this.port = 0;
  }

  override async listenAt(host: string): Promise<void> {
    const port = this.wantedPort;
    if (port !== 0) {
      this.#portInUse = 0;
      this.port = port;
    }
    await super.listenAt(host);
    const { listeningAt } = this;
    if (listeningAt === undefined) return;
    if (this.#lastPort !== 0 && this.#lastPort !== listeningAt.port) this.#options.moved(listeningAt);
    this.#lastPort = listeningAt.port;
  }
}
