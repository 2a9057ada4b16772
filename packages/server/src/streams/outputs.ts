import type { Device } from '@azimuth/device';
import { imuDataOutput, legacyProtocols, measurementDataOutput, type Variable } from '@azimuth/model';
import type { ListeningAddress, NetworkMode } from '../network/listening-address.js';
import { DataStream, type Way } from './data-stream.js';
import type { Down } from './down.js';
import { EncoderTelegrams } from './encoder-telegrams.js';
import { ImuTelegrams } from './imu-telegrams.js';
import { ScanTelegrams } from './scan-telegrams.js';
import { type StreamName, type StreamTallies, StreamTally } from './stream-tally.js';
import { TelegramPorts } from './telegram-ports.js';
import { type Destination, type Sender, Ways } from './ways.js';

const { ScanDataEnable, ScanDataEthSettings, EncoderDataEnable, EncoderDataEthSettings } =
  measurementDataOutput.members;
const { ImuDataEnable, ImuDataEthSettings } = imuDataOutput.members;

interface Facts {
  readonly device: Device;
  readonly address: ListeningAddress;
  readonly mode: NetworkMode;
}

type Stream = Pick<DataStream<never>, 'down' | 'beginning' | 'follow' | 'close'>;

/** The data streams of a scanner, loaded when one of them is on for the first time. */
export class Outputs {
  readonly tallies: StreamTallies = {
    scan: new StreamTally(),
    imu: new StreamTally(),
    encoder: new StreamTally(),
  };
  readonly #device: Device;
  readonly #ports: TelegramPorts;
  readonly #ways: Ways;
  readonly #streams: Readonly<Record<StreamName, Stream>>;

  constructor({ device, address, mode }: Facts) {
    const { clock, host, network, errors } = device;
    const failed = (error: unknown) => errors.tell('streams', error);
    const { log } = host;
    const { EtherSessionTimeout } = legacyProtocols.members;
    const patience = () => network.active.read(EtherSessionTimeout);
    this.#device = device;
    this.#ports = new TelegramPorts({ address, clock, log, patience, failed });
    this.#ways = new Ways({ mode, address, ports: this.#ports, clock, log, failed });
    const { scan, imu, encoder } = this.tallies;
    this.#streams = {
      scan: new DataStream({
        words: 'Scan data',
        telegrams: new ScanTelegrams(device),
        way: () => this.#wayOf(ScanDataEnable, ScanDataEthSettings, { words: 'Scan data', tally: scan }),
        log,
      }),
      imu: new DataStream({
        words: 'IMU data',
        telegrams: new ImuTelegrams(device),
        way: () => this.#wayOf(ImuDataEnable, ImuDataEthSettings, { words: 'IMU data', tally: imu }),
        log,
      }),
      encoder: new DataStream({
        words: 'Encoder data',
        telegrams: new EncoderTelegrams(device),
        way: () =>
          this.#wayOf(EncoderDataEnable, EncoderDataEthSettings, { words: 'Encoder data', tally: encoder }),
        log,
      }),
    };
  }

  /** Clients that are connected now. */
  get clients(): number {
    return this.#ports.clients;
  }

  /** Why nothing of this stream can leave although it is on. */
  down(stream: StreamName): Down | undefined {
    return this.#streams[stream].down;
  }

  /** Does what parameters and network settings say now; telegrams that are due from here on go that way. */
  follow(): void {
    for (const stream of Object.values(this.#streams)) stream.follow();
  }

  /** Is fulfilled when all streams that are on have begun, as far as they can; undefined where they have. */
  get beginning(): Promise<unknown> | undefined {
    const all = Object.values(this.#streams).flatMap(({ beginning }) => beginning ?? []);
    return all.length === 0 ? undefined : Promise.all(all);
  }

  /** Sends nothing until it has to `follow` again, and counts from 1 then. */
  close(): void {
    for (const stream of Object.values(this.#streams)) stream.close();
  }

  #wayOf(enable: Variable<boolean>, destination: Variable<Destination>, sender: Sender): Way | undefined {
    const { parameters } = this.#device;
    if (!parameters.has(enable) || !parameters.read(enable)) return undefined;
    return this.#ways.to(parameters.read(destination), sender);
  }
}
