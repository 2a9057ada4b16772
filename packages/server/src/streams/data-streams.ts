import { atMost } from '@azimuth/async';
import { type Device, type Faults, type FaultyStream, streamSwitches } from '@azimuth/device';
import { isNativeRos2, ros2Follows } from '@azimuth/device/ros2';
import type { CableWatch } from '@azimuth/http';
import { imuDataOutput, legacyProtocols, measurementDataOutput, type Variable } from '@azimuth/model';
import type { ListeningAddress, NetworkMode } from '../network/listening-address.js';
import type { Wire } from '../wire.js';
import { DataStream, type Target, type Telegrams } from './data-stream.js';
import type { BlockReason } from './delivery.js';
import { StreamMetrics, type StreamMetricsByName, type StreamName } from './delivery.js';
import { longestStart } from './limits.js';
import { type Ros2Metrics, Ros2Stream } from './ros2-stream.js';
import { type Destination, type Sender, Targets } from './targets.js';
import { TelegramPorts } from './tcp-route.js';
import { chosenForm, EncoderTelegrams, ImuTelegrams, ScanTelegrams } from './telegram-encoders.js';

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
  ...ros2Follows,
];

interface Options {
  readonly device: Device;
  /** Where the scanner listens. */
  readonly address: ListeningAddress;
  readonly mode: NetworkMode;
  /** Addresses at which native ROS 2 announces the scanner, beside multicast. */
  readonly rosPeers?: readonly string[] | undefined;
  /** Planned faults; undefined for a scanner that has none. */
  readonly faults?: Faults | undefined;
  readonly cable?: CableWatch | undefined;
}

type Stream = Pick<DataStream<never>, 'blockedBy' | 'beginning' | 'follow' | 'close'>;

/**
 * The data streams of a scanner: scan, IMU and encoder data as telegrams, and native ROS 2 in place of scan telegrams. A
 * write to their variables takes effect with the next telegram. It is answered when the streams that it switches on have
 * started.
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
  readonly #ros2: Ros2Stream;
  #isOpen = false;

  constructor({ device, address, mode, rosPeers = [], faults, cable }: Options) {
    const {
      announcements,
      clock,
      errors,
      host,
      features: { network },
    } = device;
    const { log } = host;
    const failed = (error: unknown) => errors.report('streams', error);
    const stallTimeout = () => network.active.read(legacyProtocols.members.EtherSessionTimeout);
    const link = faults?.link;
    this.#device = device;
    this.#ports = new TelegramPorts({ address, clock, log, stallTimeout, failed, cable });
    this.#targets = new Targets({ mode, address, ports: this.#ports, clock, log, failed, link });
    this.#ros2 = new Ros2Stream({ device, address, peers: rosPeers, metrics: this.metrics.ros2, link });
    const stream = <Reading>(
      name: FaultyStream,
      words: string,
      telegrams: Telegrams<Reading>,
      destination: Variable<Destination>,
    ) =>
      new DataStream({
        words,
        telegrams,
        target: () => {
          if (name === 'scan' && isNativeRos2(device.parameters)) return undefined;
          return this.#targetOf(streamSwitches[name], destination, { words, metrics: this.metrics[name] });
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
      errors.contain('streams', () => {
        this.#follow();
        const beginning = this.#beginning;
        if (beginning !== undefined)
          announcements.takesEffect(
            atMost(
              longestStart,
              beginning.catch(() => undefined),
              { keepsAlive: false },
            ),
          );
      });
    });
    address.onChange(() => errors.contain('streams', () => this.#follow()));
  }

  /** Clients that are connected to read them over TCP. */
  get clients(): number {
    return this.#ports.clients;
  }

  /** What native ROS 2 counts, and who is in its domain. */
  get ros2(): Ros2Metrics & Ros2Stream['others'] {
    return { ...this.#ros2.metrics, ...this.#ros2.others };
  }

  /** Why a stream that is on cannot send; undefined while it can send or is off. */
  blockedBy(stream: StreamName): BlockReason | undefined {
    return this.#streams[stream].blockedBy;
  }

  /** Their telegrams that were handed to the network since the start, once for each receiver. */
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

  /** Fulfilled when all streams that are on have started, as far as they can; undefined if they have started already. */
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
