import type { Socket } from 'node:net';
import {
  type Clock,
  type Log,
  type MeasuringCore,
  type MeasuringOrder,
  type Motion,
  type Scan,
  SystemClock,
} from '@azimuth/device';
import { atRest } from '@azimuth/device/cores';
import { stderrLog } from '@azimuth/device/reports';
import { CoreConnection, refuse, type SegmentMessage } from './core-connection.js';
import { CoreListener } from './core-listener.js';
import { LimitedLog } from './limited-log.js';
import { oldestMotion } from './limits.js';
import type { Order, Status } from './protocol/messages.js';
import { RevolutionNumbers } from './revolution-numbers.js';
import { ScanAssembly } from './scan-assembly.js';
import { addressText, isLoopback, parseSocketAddress, type SocketAddress } from './socket-address.js';

export interface CoreSocketOptions {
  /** Path of a UNIX socket, or `HOST:PORT`; `:PORT` for 127.0.0.1. */
  readonly address: string;
  /** By default, each entry is a line on stderr. */
  readonly log?: Log | undefined;
  /** The clock of the scanner. By default, that of the system. */
  readonly clock?: Clock | undefined;
}

/** State of a core socket. */
export interface CoreSocketStatus {
  /** Name of the connected core. Undefined if there is none. */
  readonly core: string | undefined;
  /** Maximum error in ms of times of the core; undefined without a core. */
  readonly clockError: number | undefined;
  /** ppm by which the scanner's clock is faster than that of the core; undefined without a core. */
  readonly clockDrift: number | undefined;
  /** Numbers since the socket was opened. `incomplete`: scans without some segments. `outdated`: segments of earlier orders. */
  readonly connections: number;
  readonly scans: number;
  readonly incomplete: number;
  readonly outdated: number;
}

/** An order of the scanner that holds. */
interface Running {
  readonly number: number;
  readonly order: MeasuringOrder;
  readonly measured: (scan: Scan, beams: number) => void;
  readonly numbers: RevolutionNumbers;
  readonly assembly: ScanAssembly;
  /** µs of the scanner's uptime minus µs of the clock. */
  readonly zero: number;
  /** Resolves the promise of `start`. */
  started: (() => void) | undefined;
}

/**
 * A measuring core in another process, which connects to a socket. The scanner listens, and the core connects again
 * whenever the connection is lost. There is one core at a time. The protocol is in docs/core-socket.md.
 *
 * While no core is connected, `start` fails, and so DeviceStatus is 7. A core that is lost while it measures is silent.
 */
export class CoreSocket implements MeasuringCore {
  readonly #clock: Clock;
  readonly #log: LimitedLog;
  #listener: CoreListener | undefined;
  #connection: CoreConnection | undefined;
  #running: Running | undefined;
  #orders = 0;
  #motion: { readonly motion: Motion; readonly received: number } | undefined;
  #problem: string | undefined;
  #reportProblem: (problem: string | undefined) => void = () => undefined;
  #connections = 0;
  #scans = 0;
  #incomplete = 0;
  #outdated = 0;

  private constructor({ clock, log = stderrLog }: CoreSocketOptions) {
    this.#clock = clock ?? new SystemClock();
    this.#log = new LimitedLog(log, this.#clock);
  }

  /**
   * Opens the socket.
   * @throws SocketAddressError for a wrong address, or one at which something else is
   */
  static async open(options: CoreSocketOptions): Promise<CoreSocket> {
    const address = parseSocketAddress(options.address);
    const core = new CoreSocket(options);
    core.#listener = await CoreListener.open(address, (socket) => core.#connected(socket));
    const { log = stderrLog } = options;
    log.info('A measuring core can connect', { address: core.address });
    if (address.kind === 'tcp' && !isLoopback(address.host))
      log.warn('Anybody who reaches the core socket can measure for this scanner', { address: core.address });
    return core;
  }

  /** Where cores connect, with the port that was chosen for port 0. */
  get address(): string {
    const address: SocketAddress | undefined = this.#listener?.address;
    return address === undefined ? '' : addressText(address);
  }

  /** As `status.clockError`. */
  get timeError(): number | undefined {
    return this.status.clockError;
  }

  get status(): CoreSocketStatus {
    const connection = this.#connection?.isReady === true ? this.#connection : undefined;
    return {
      core: connection?.core?.name,
      clockError: connection?.mapping.error,
      clockDrift: connection === undefined ? undefined : connection.mapping.drift * 1e6,
      connections: this.#connections,
      scans: this.#scans,
      incomplete: this.#incomplete + (this.#running?.assembly.incomplete ?? 0),
      outdated: this.#outdated,
    };
  }

  /** Calls `report` with the text of an error that the core reports, and with undefined when it works again. */
  onProblem(report: (problem: string | undefined) => void): void {
    this.#reportProblem = report;
    if (this.#problem !== undefined) report(this.#problem);
  }

  /** @throws Error if no core is connected */
  start(order: MeasuringOrder, measured: (scan: Scan, beams: number) => void): void | Promise<void> {
    this.#orders = (this.#orders + 1) % 2 ** 32;
    const running: Running = {
      number: this.#orders,
      ...{ order, measured },
      numbers: new RevolutionNumbers(order),
      assembly: new ScanAssembly(order.geometry),
      zero: order.now() - this.#clock.monotonic() * 1000,
      started: undefined,
    };
    this.#running = running;
    const connection = this.#connection;
    if (connection?.isReady !== true) throw new Error(`no core is connected at ${this.address}`);
    connection.order(this.#orderFor(running, connection));
    if (!connection.can('started')) return;
    return new Promise((resolve) => {
      running.started = resolve;
    });
  }

  stop(): void {
    const running = this.#running;
    if (running === undefined) return;
    this.#incomplete += running.assembly.incomplete;
    this.#running = undefined;
    if (this.#connection?.isReady === true) this.#connection.stop(running.number);
  }

  motion(): Motion {
    if (this.#connection?.can('motion') !== true || this.#motion === undefined) return atRest;
    const age = this.#clock.monotonic() - this.#motion.received;
    if (age > oldestMotion) throw new Error(`the core has sent no motion for ${Math.round(age)} ms`);
    return this.#motion.motion;
  }

  /** Closes the socket and the connection of the core. */
  close(): void {
    this.#listener?.close();
    this.#connection?.close('the scanner ends');
  }

  #connected(socket: Socket): void {
    if (this.#connection !== undefined) {
      const other = this.#connection.core?.name;
      const reason = `another core is connected${other === undefined ? '' : `: ${other}`}`;
      socket.on('error', () => undefined);
      refuse(socket, this.#clock, reason);
      this.#log.write('warn', 'A second core was refused', { connected: other });
      return;
    }
    const connection: CoreConnection = new CoreConnection(socket, this.#clock, {
      ready: () => this.#ready(connection),
      segment: (segment) => this.#segment(segment, connection),
      started: (order) => this.#started(order),
      motion: (motion) => {
        this.#motion = { motion, received: this.#clock.monotonic() };
      },
      status: (status) => this.#status(status),
      clockSet: () => this.#log.write('warn', 'The clock of the core was set; it is mapped anew'),
      closed: (problem) => this.#closed(connection, problem),
    });
    this.#connection = connection;
  }

  #ready(connection: CoreConnection): void {
    this.#connections += 1;
    this.#log.write('info', 'A measuring core is connected', {
      core: connection.core?.name,
      clockErrorMicroseconds: Math.ceil(connection.mapping.error * 1000),
    });
    const running = this.#running;
    if (running === undefined) return;
    running.numbers.restart();
    connection.order(this.#orderFor(running, connection));
  }

  #closed(connection: CoreConnection, problem: string | undefined): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#motion = undefined;
    this.#running?.assembly.drop();
    this.#setProblem(undefined);
    if (problem === undefined) this.#log.write('warn', 'The measuring core has disconnected');
    else this.#log.write('warn', 'The connection of the measuring core was closed', { reason: problem });
  }

  #orderFor({ number, order, numbers, zero }: Running, { mapping }: CoreConnection): Order {
    const { geometry, sensitivity, longRange } = order;
    const origin = numbers.known;
    return {
      order: number,
      ...{ geometry, sensitivity, longRange },
      origin: { number: origin.number % 2 ** 32, time: mapping.coreTime((origin.time - zero) / 1000) },
    };
  }

  #segment(segment: SegmentMessage, connection: CoreConnection): void {
    const running = this.#running;
    if (running === undefined || segment.order !== running.number) {
      this.#outdated += 1;
      return;
    }
    const { assembly } = running;
    const { scan } = assembly;
    if (segment.first + segment.count > scan.geometry.beams) {
      const last = segment.first + segment.count - 1;
      connection.close(`it sent a segment up to beam ${last} of ${scan.geometry.beams}`);
      return;
    }
    const beams = assembly.add(segment, () => this.#beginScan(segment, running, connection));
    if (beams === 0) return;
    if (beams === scan.geometry.beams) this.#scans += 1;
    running.measured(scan, beams);
  }

  /** Returns false for a scan whose number does not follow the last one. */
  #beginScan(segment: SegmentMessage, { assembly, numbers, zero }: Running, connection: CoreConnection) {
    const time = connection.mapping.scannerTime(segment.time) * 1000 + zero;
    const number = numbers.numberOf(segment.scan, time);
    if (number === undefined) {
      connection.close(`it sent the scan ${segment.scan} again, or scans in the wrong order`);
      return false;
    }
    assembly.scan.number = number;
    assembly.scan.time = time;
    return true;
  }

  #started(order: number): void {
    const running = this.#running;
    if (running?.number !== order) return;
    running.started?.();
    running.started = undefined;
  }

  #status({ isError, text }: Status): void {
    if (isError) this.#log.write('error', 'The measuring core reports an error', { reason: text });
    else if (text !== '') this.#log.write('info', 'The measuring core reports', { text });
    this.#setProblem(isError ? text : undefined);
  }

  #setProblem(problem: string | undefined): void {
    if (this.#problem === problem) return;
    this.#problem = problem;
    this.#reportProblem(problem);
  }
}
