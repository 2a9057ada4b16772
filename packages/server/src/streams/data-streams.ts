import type { Device } from '@azimuth/device';
import { imuDataOutput, measurementDataOutput, type Variable } from '@azimuth/model';
import type { ListeningAddress, NetworkMode } from '../network/listening-address.js';
import type { Down } from './down.js';
import type { Outputs } from './outputs.js';
import type { StreamName, StreamTallies } from './stream-tally.js';

const scan = measurementDataOutput.members;
const imu = imuDataOutput.members;

const switches: readonly Variable<boolean>[] = [
  scan.ScanDataEnable,
  scan.EncoderDataEnable,
  imu.ImuDataEnable,
];
const settings = new Set<Variable<unknown>>([
  ...switches,
  scan.ScanDataEthSettings,
  scan.ScanDataFormat,
  scan.compactTelegramType1Content,
  scan.EncoderDataEthSettings,
  imu.ImuDataEthSettings,
]);

interface Facts {
  readonly device: Device;
  /** Where the scanner listens. */
  readonly address: ListeningAddress;
  readonly mode: NetworkMode;
}

/**
 * The data streams of a scanner: scan, IMU and encoder data. What is written to their variables holds from the next
 * telegram on. As long as none is on, this file is all that is loaded of them.
 */
export class DataStreams {
  readonly #facts: Facts;
  #isOpen = false;
  #outputs: Outputs | undefined;
  #loading: Promise<void> | undefined;

  constructor(facts: Facts) {
    this.#facts = facts;
    facts.device.announcements.subscribeTo(settings, () => this.#followSoon());
    facts.address.onChange(() => this.#followSoon());
  }

  /** What became of their telegrams since the process started; undefined while there have been none. */
  get tallies(): StreamTallies | undefined {
    return this.#outputs?.tallies;
  }

  /** Clients that are connected to read them over TCP. */
  get clients(): number {
    return this.#outputs?.clients ?? 0;
  }

  /** Why nothing of a stream can leave although it is on; undefined while something can, and while it is off. */
  down(stream: StreamName): Down | undefined {
    return this.#outputs?.down(stream);
  }

  /** Sends what is on, from now until `close`. */
  async open(): Promise<void> {
    this.#isOpen = true;
    await this.#follow();
  }

  /** Ends all of them at once; they count from 1 when they are opened again. */
  close(): void {
    this.#isOpen = false;
    this.#outputs?.close();
  }

  #followSoon(): void {
    this.#facts.device.errors.contain('streams', () => this.#follow());
  }

  async #follow(): Promise<void> {
    if (!this.#isOpen) return;
    if (this.#outputs !== undefined) {
      this.#outputs.follow();
      return;
    }
    if (!this.#isAnyOn) return;
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      this.#facts.device.host.log.error('Data streams cannot be sent', { reason: String(error) });
    });
    await this.#loading;
  }

  get #isAnyOn(): boolean {
    const { parameters } = this.#facts.device;
    return switches.some((variable) => parameters.has(variable) && parameters.read(variable));
  }

  async #load(): Promise<void> {
    const { Outputs } = await import('./outputs.js');
    this.#outputs = new Outputs(this.#facts);
    if (this.#isOpen) this.#outputs.follow();
  }
}
