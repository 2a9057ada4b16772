import type { Socket } from 'node:net';
import type { Device } from '@azimuth/device';
import type { Faults } from '@azimuth/device/faults';
import type { Journal } from '@azimuth/device/journal';
import { type CableWatch, type OpenPorts, PortInUse, tcpListener, urlOf } from '@azimuth/http';
import { legacyProtocols, type Variable } from '@azimuth/model';
import { DeduplicatedLog, Listener } from '../network/listener.js';
import type { ListenerRegistry, ListeningAddress } from '../network/listening-address.js';
import type { Wire } from '../wire.js';
import { LegacyMetrics } from './session-output.js';
import { Sessions } from './sessions.js';

const { EtherAuxEnabled, EtherAuxIPPort, EtherHostIPPort } = legacyProtocols.members;

/** Ports that override the settings; 0 for any free port, which stays the same. */
export interface LegacyPorts {
  /** Port of interface A (text); by default, that of the settings, 2111. */
  readonly portA?: number | undefined;
  /** Port of interface B (binary); by default, that of the settings, 2112. */
  readonly portB?: number | undefined;
  /** True if it listens at any free port when a port of the settings is in use at the start of the scanner. */
  readonly useFreePortIfInUse?: boolean | undefined;
}

interface Options {
  readonly device: Device;
  readonly address: ListeningAddress;
  readonly listeners: ListenerRegistry;
  readonly ports: LegacyPorts;
  /** Planned faults; undefined for a scanner that has none. */
  readonly faults?: Faults | undefined;
  /** Receives every request; undefined if nobody keeps them. */
  readonly journal?: Journal | undefined;
  readonly cable?: CableWatch | undefined;
  readonly openPorts?: OpenPorts | undefined;
}

/** One of the two interfaces. */
interface Interface {
  readonly listener: Listener;
  /** True if its port was set by its command-line option. */
  readonly isChosen: boolean;
  /** Configured port, unless that was in use: 0 for any free one. */
  readonly requestedPort: () => number;
  /** Opens any free port until another one is configured. */
  readonly useFreePort: () => void;
}

/**
 * The legacy interfaces A (text) and B (binary). They are open at the ports of the network settings in force, while
 * these enable them. Both accept both framings.
 */
export class LegacyInterfaces implements Wire {
  readonly metrics = new LegacyMetrics();
  readonly #device: Device;
  readonly #faults: Faults | undefined;
  readonly #journal: Journal | undefined;
  readonly #useFreePortIfInUse: boolean;
  readonly #a: Interface;
  readonly #b: Interface;
  #isOpen = false;
  /** Sessions. They are created with the first connection, because they follow every change from then on. */
  #sessions: Sessions | undefined;

  constructor({ device, address, listeners, ports, faults, journal, cable, openPorts }: Options) {
    this.#device = device;
    this.#faults = faults;
    this.#journal = journal;
    this.#useFreePortIfInUse = ports.useFreePortIfInUse === true;
    const make = (letter: 'A' | 'B', setting: Variable<number>, port?: number) =>
      this.#interface(
        letter,
        () => port ?? device.features.network.active.read(setting),
        port !== undefined,
        {
          address,
          cable,
          openPorts,
        },
      );
    this.#a = make('A', EtherAuxIPPort, ports.portA);
    this.#b = make('B', EtherHostIPPort, ports.portB);
    listeners.add('legacyA', this.#a.listener);
    listeners.add('legacyB', this.#b.listener);
    device.features.network.onActivated(() => {
      if (this.#isOpen) this.#follow();
    });
  }

  /** Number that stays the same while nothing is received and sent. */
  get activity(): number {
    const { telegrams, sessions } = this.metrics;
    return telegrams.of('in') + telegrams.of('out') + sessions;
  }

  /** Login state; undefined until the first connection. */
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
    for (const each of [this.#a, this.#b]) {
      try {
        await each.listener.open();
      } catch (error) {
        if (each.isChosen) throw error;
        if (this.#useFreePortIfInUse && error instanceof PortInUse) await this.#openAtFreePort(each);
        else each.listener.reopen();
      }
    }
  }

  down(): void {
    this.close();
  }

  /** Opens both, and retries every port that is in use. */
  up(): void {
    this.#isOpen = true;
    this.#follow();
  }

  /** Closes both and every session, at once. */
  close(): void {
    this.#isOpen = false;
    for (const { listener } of [this.#a, this.#b]) listener.close();
  }

  async #openAtFreePort({ listener, requestedPort, useFreePort }: Interface): Promise<void> {
    const port = requestedPort();
    useFreePort();
    await listener.open();
    const { name, url } = listener;
    this.#device.hardware.log.info(
      `${name} listens at ${url}, because the configured port ${port} is in use`,
    );
  }

  get #isEnabled(): boolean {
    return this.#device.features.network.active.read(EtherAuxEnabled);
  }

  #follow(): void {
    yieldPort(this.#a, this.#b);
    yieldPort(this.#b, this.#a);
    for (const { listener } of [this.#a, this.#b]) {
      if (this.#isEnabled) listener.reopen();
      else listener.close();
    }
  }

  #interface(
    letter: 'A' | 'B',
    configured: () => number,
    isChosen: boolean,
    { address, cable, openPorts }: Pick<Options, 'address' | 'cable' | 'openPorts'>,
  ): Interface {
    const { clock, errors, hardware } = this.#device;
    const name = `Legacy interface ${letter}`;
    let portInUse = 0;
    let lastPort = 0;
    const requestedPort = () => (configured() === portInUse ? 0 : configured());
    const listener = new Listener({
      name,
      scheme: 'tcp',
      make: () => {
        const connected = (socket: Socket) => this.#connected(socket, letter);
        const failed = (error: unknown) => errors.report('legacy', error);
        // A client may close its sending side and still wait for its responses.
        const server = tcpListener(connected, failed, { allowHalfOpen: true });
        cable?.watch(server);
        return server;
      },
      port: requestedPort,
      flag: `--legacy-${letter.toLowerCase()}-port`,
      openPorts,
      address,
      clock,
      log: new DeduplicatedLog(hardware.log),
      stateChanged: (problem) => {
        const { listeningAt } = listener;
        if ((listeningAt !== undefined || problem !== undefined) && requestedPort() !== 0) portInUse = 0;
        if (listeningAt === undefined || problem !== undefined) return;
        if (lastPort !== 0 && lastPort !== listeningAt.port)
          hardware.log.info(`${name} listens at ${urlOf(listeningAt, 'tcp')}`);
        lastPort = listeningAt.port;
      },
    });
    const useFreePort = () => {
      portInUse = configured();
      listener.forgetPort();
    };
    return { listener, isChosen, requestedPort, useFreePort };
  }

  #connected(socket: Socket, letter: 'A' | 'B'): void {
    socket.on('error', () => socket.destroy());
    this.#sessions ??= new Sessions({
      device: this.#device,
      metrics: this.metrics,
      faults: this.#faults,
      journal: this.#journal,
    });
    this.#sessions.accept(socket, letter);
  }
}

/** Closes a listener that must leave its port, if the other interface needs that port: the two may swap ports. */
function yieldPort({ listener: leaving }: Interface, { requestedPort }: Interface): void {
  if (leaving.hasWrongPort && leaving.listeningAt?.port === requestedPort()) leaving.close();
}
