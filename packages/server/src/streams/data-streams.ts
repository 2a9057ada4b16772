import { isIPv4 } from 'node:net';
import { atMost } from '@azimuth/async';
import type { Clock, Device, Log } from '@azimuth/device';
import type { Faults, FaultyStream, LinkFaults } from '@azimuth/device/faults';
import { streamSwitches } from '@azimuth/device/network-interface';
import { isNativeRos2, type Ros2Settings, ros2Variables } from '@azimuth/device/ros2';
import type { CableWatch } from '@azimuth/http';
import { imuDataOutput, legacyProtocols, measurementDataOutput, type Variable } from '@azimuth/model';
import type { ListeningAddress } from '../network/listening-address.js';
import type { Wire } from '../wire.js';
import { DataStream, type Target, type Telegrams } from './data-stream.js';
import {
  type BlockReason,
  Sending,
  StreamMetrics,
  type StreamMetricsByName,
  type StreamName,
} from './delivery.js';
import { longestStart } from './limits.js';
import { type Ros2Metrics, Ros2Stream, scannerRole } from './ros2-stream.js';
import { TcpRoute, TelegramPorts } from './tcp-route.js';
import { chosenForm, EncoderTelegrams, ImuTelegrams, ScanTelegrams } from './telegram-encoders.js';
import { UdpRoute } from './udp-route.js';

const { ScanDataEthSettings, ScanDataFormat, compactTelegramType1Content, EncoderDataEthSettings } =
  measurementDataOutput.members;
const { ImuDataEthSettings } = imuDataOutput.members;

const settings: readonly Variable<unknown>[] = [
  ...Object.values(streamSwitches),
  ScanDataEthSettings,
  ScanDataFormat,
  compactTelegramType1Content,
  EncoderDataEthSettings,
  ImuDataEthSettings,
  ...ros2Variables,
];

interface Options {
  readonly device: Device;
  /** Address of the scanner. */
  readonly address: ListeningAddress;
  /** Addresses at which native ROS 2 announces the scanner, beside multicast. */
  readonly rosPeers?: readonly string[] | undefined;
  /** Planned faults; undefined for a scanner that has none. */
  readonly faults?: Faults | undefined;
  readonly cable?: CableWatch | undefined;
}

type Stream = Pick<DataStream<never>, 'blockedBy' | 'beginning' | 'follow' | 'close'>;

/**
 * Data streams of a scanner: scan, IMU and encoder data as telegrams, and native ROS 2 in place of scan telegrams. A
 * write to their variables takes effect with the next telegram. The response to the write waits until the streams that
 * it switches on have started.
 */
export class DataStreams implements Wire {
  /** Metrics of their telegrams since the process started. */
  readonly metrics: StreamMetricsByName = {
    scan: new StreamMetrics(),
    imu: new StreamMetrics(),
    encoder: new StreamMetrics(),
    ros2: new StreamMetrics(),
  };
  readonly #device: Device;
  readonly #ports: TelegramPorts;
  readonly #targets: Targets;
  readonly #streams: Readonly<Record<StreamName, Stream>>;
  readonly #ros2: Ros2Stream<Ros2Settings>;
  #isOpen = false;

  constructor({ device, address, rosPeers = [], faults, cable }: Options) {
    const {
      announcements,
      clock,
      errors,
      hardware,
      features: { network },
    } = device;
    const { log } = hardware;
    const failed = (error: unknown) => errors.report('streams', error);
    const stallTimeout = () => network.active.read(legacyProtocols.members.EtherSessionTimeout);
    const link = faults?.link;
    this.#device = device;
    this.#ports = new TelegramPorts({ address, clock, log, stallTimeout, failed, cable });
    this.#targets = new Targets({ address, ports: this.#ports, clock, log, failed, link });
    this.#ros2 = new Ros2Stream({
      ...{ role: scannerRole, device, address, peers: rosPeers, metrics: this.metrics.ros2, link },
    });
    const stream = <Reading>(
      name: FaultyStream,
      description: string,
      telegrams: Telegrams<Reading>,
      destination: Variable<Destination>,
    ) =>
      new DataStream({
        description,
        telegrams,
        target: () => {
          if (name === 'scan' && isNativeRos2(device.parameters)) return undefined;
          return this.#targetOf(streamSwitches[name], destination, {
            words: description,
            metrics: this.metrics[name],
          });
        },
        log,
        faulty: faults && { stream: name, faults, clock },
      });
    const scans = new ScanTelegrams(device, () => chosenForm(device));
    this.#streams = {
      scan: stream('scan', 'Scan data', scans, ScanDataEthSettings),
      imu: stream('imu', 'IMU data', new ImuTelegrams(device), ImuDataEthSettings),
      encoder: stream('encoder', 'Encoder data', new EncoderTelegrams(device), EncoderDataEthSettings),
      ros2: this.#ros2,
    };
    announcements.subscribeTo(settings, () => {
      errors.contain('streams', () => this.#follow());
      const beginning = this.#beginning;
      return beginning && atMost(longestStart, beginning, { keepsAlive: false });
    });
    address.onChange(() => errors.contain('streams', () => this.#follow()));
  }

  /** Number of clients that are connected to read them over TCP. */
  get clients(): number {
    return this.#ports.clients;
  }

  /** Counters of native ROS 2, and the participants in its domain. */
  get ros2(): Ros2Metrics & Ros2Stream<Ros2Settings>['others'] {
    return { ...this.#ros2.metrics, ...this.#ros2.others };
  }

  /** Reason why a stream that is on cannot send; undefined while it can send or is off. */
  blockedBy(stream: StreamName): BlockReason | undefined {
    return this.#streams[stream].blockedBy;
  }

  /** Number of their telegrams that were handed to the network since the start, once for each receiver. */
  get telegramsSent(): number {
    return Object.values(this.metrics).reduce((sum, { telegrams }) => sum + telegrams, 0);
  }

  /** Sends the streams that are on, until `close`. */
  open(): void {
    this.#isOpen = true;
    this.#follow();
  }

  down(): void {
    this.close();
  }

  up(): void {
    this.#device.errors.contain('streams', () => this.open());
  }

  /** Ends all streams at once. After the next `open` their telegrams count from 1. */
  close(): void {
    this.#isOpen = false;
    for (const stream of Object.values(this.#streams)) stream.close();
  }

  /** Applies the present parameters and network settings to the following telegrams. */
  #follow(): void {
    if (!this.#isOpen) return;
    for (const stream of Object.values(this.#streams)) stream.follow();
  }

  /**
   * Fulfilled when all streams that are on have started, as far as they can; undefined if they have started already.
   */
  get #beginning(): Promise<unknown> | undefined {
    const all = Object.values(this.#streams).flatMap(({ beginning }) => beginning ?? []);
    return all.length === 0 ? undefined : Promise.all(all);
  }

  #targetOf(
    enable: Variable<boolean>,
    destination: Variable<Destination>,
    sender: Sender,
  ): Target | undefined {
    const { parameters } = this.#device;
    if (!parameters.has(enable) || !parameters.read(enable)) return undefined;
    return this.#targets.to(parameters.read(destination), sender);
  }
}

/** Values of Protocol: 1 UDP, 2 TCP. */
interface Destination {
  readonly Protocol: 1 | 2;
  readonly IPAddress: readonly number[];
  readonly Port: number;
}

/** Stream to send. */
interface Sender {
  /** Content of the stream, in words for the log. */
  readonly words: string;
  readonly metrics: StreamMetrics;
}

interface TargetOptions {
  /** Address of the scanner. */
  readonly address: ListeningAddress;
  readonly ports: TelegramPorts;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with unexpected errors of a socket. */
  readonly failed: (error: unknown) => void;
  readonly link?: LinkFaults | undefined;
}

/** Routes to the destinations of streams in the present network of the scanner. */
class Targets {
  readonly #options: TargetOptions;

  constructor(options: TargetOptions) {
    this.#options = options;
  }

  to(destination: Destination, sender: Sender): Target {
    return destination.Protocol === 2 ? this.#byTcp(destination, sender) : this.#byUdp(destination, sender);
  }

  #byTcp({ Port: port }: Destination, sender: Sender): Target {
    const { ports } = this.#options;
    return {
      key: `TCP ${port}`,
      open: (changed) => {
        const sending = this.#sending(sender, `TCP, clients of port ${port}`);
        return port === 0 ? refused(sending) : new TcpRoute(ports.port(port), port, sending, changed);
      },
    };
  }

  #byUdp({ IPAddress, Port: port }: Destination, sender: Sender): Target {
    const { address: own, clock, failed, link } = this.#options;
    const address = IPAddress.join('.');
    const here = own.inForce;
    const from = own.follows ? here : undefined;
    return {
      key: `UDP ${address}:${port} ${here}`,
      open: (changed) => {
        // A scanner without an address sends nothing.
        if (here === undefined) return 'no_address';
        const sending = this.#sending(sender, `UDP, ${address}:${port}`);
        if (port === 0) return refused(sending);
        sending.begins();
        const multicastBy = isIPv4(here) && here !== '0.0.0.0' ? here : undefined;
        return new UdpRoute({ address, port, from, multicastBy, sending, clock, changed, failed, link });
      },
    };
  }

  #sending({ words: description, metrics }: Sender, destination: string): Sending {
    const { clock, log } = this.#options;
    return new Sending({ description, destination, metrics, clock, log });
  }
}

/** Port 0 is not a destination. */
function refused(sending: Sending): BlockReason {
  sending.failed('no_port');
  return 'no_port';
}
