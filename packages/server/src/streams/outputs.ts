import type { Device } from '@azimuth/device';
import { imuDataOutput, legacyProtocols, measurementDataOutput, type Variable } from '@azimuth/model';
import type { ListeningAddress, NetworkMode } from '../network/listening-address.js';
import { DataStream, type Way } from './data-stream.js';
import { EncoderTelegrams } from './encoder-telegrams.js';
import { ImuTelegrams } from './imu-telegrams.js';
import { ScanTelegrams } from './scan-telegrams.js';
import { type StreamTallies, StreamTally } from './stream-tally.js';
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
  readonly #streams: readonly { follow(): void; close(): void }[];

  constructor({ device, address, mode }: Facts) {
    const { clock, host, network } = device;
    const { log } = host;
    const { EtherSessionTimeout } = legacyProtocols.members;
    const patience = () => network.active.read(EtherSessionTimeout);
    this.#device = device;
    this.#ports = new TelegramPorts({ address, clock, log, patience });
    this.#ways = new Ways({ mode, address, ports: this.#ports, clock, log });
    const { scan, imu, encoder } = this.tallies;
    this.#streams = [
      new DataStream({
        words: 'Scan data',
        telegrams: new ScanTelegrams(device),
        way: () => this.#wayOf(ScanDataEnable, ScanDataEthSettings, { words: 'Scan data', tally: scan }),
        log,
      }),
      new DataStream({
        words: 'IMU data',
        telegrams: new ImuTelegrams(device),
        way: () => this.#wayOf(ImuDataEnable, ImuDataEthSettings, { words: 'IMU data', tally: imu }),
        log,
      }),
      new DataStream({
        words: 'Encoder data',
        telegrams: new EncoderTelegrams(device),
        way: () =>
          this.#wayOf(EncoderDataEnable, EncoderDataEthSettings, { words: 'Encoder data', tally: encoder }),
        log,
      }),
    ];
  }

  /** Clients that are connected now. */
  get clients(): number {
    return this.#ports.clients;
  }

  /** Does what parameters and network settings say now; telegrams that are due from here on go that way. */
  follow(): void {
    for (const stream of this.#streams) stream.follow();
  }

  /** Sends nothing until it has to `follow` again, and counts from 1 then. */
  close(): void {
    for (const stream of this.#streams) stream.close();
  }

  #wayOf(enable: Variable<boolean>, destination: Variable<Destination>, sender: Sender): Way | undefined {
    const { parameters } = this.#device;
    if (!parameters.has(enable) || !parameters.read(enable)) return undefined;
    return this.#ways.to(parameters.read(destination), sender);
  }
}
