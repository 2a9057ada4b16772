import { type Device, Later } from '@azimuth/device';
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

const outputs = new Later(async () => (await import('./outputs.js')).Outputs);

/** ms of the host: who switches a stream on is answered by then, also where a core takes longer to be made. */
const longestWait = 2000;

interface Facts {
  readonly device: Device;
  /** Where the scanner listens. */
  readonly address: ListeningAddress;
  readonly mode: NetworkMode;
}

/**
 * The data streams of a scanner: scan, IMU and encoder data. What is written to their variables holds from the next
 * telegram on, and a write is answered when the streams that it switches on have begun. As long as none is on, this file is all that is loaded of them.
 */
export class DataStreams {
  readonly #facts: Facts;
  #isOpen = false;
  #outputs: Outputs | undefined;
  #loading: Promise<void> | undefined;

  constructor(facts: Facts) {
    this.#facts = facts;
    const { announcements, errors } = facts.device;
    announcements.subscribeTo(settings, () => {
      errors.contain('streams', () => {
        const beginning = this.#follow();
        if (beginning !== undefined) announcements.takesEffect(atMost(longestWait, beginning));
      });
    });
    facts.address.onChange(() => errors.contain('streams', () => this.#follow()));
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
    this.#follow();
    await this.#loading;
  }

  /** Ends all of them at once; they count from 1 when they are opened again. */
  close(): void {
    this.#isOpen = false;
    this.#outputs?.close();
  }

  /** Answers when what is on has begun; undefined where there is nothing to wait for. */
  #follow(): Promise<unknown> | undefined {
    if (!this.#isOpen) return undefined;
    if (this.#outputs !== undefined) {
      this.#outputs.follow();
      return this.#outputs.beginning;
    }
    if (!this.#isAnyOn) return undefined;
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      this.#facts.device.host.log.error('Data streams cannot be sent', { reason: String(error) });
    });
    return this.#loading.then(() => this.#outputs?.beginning);
  }

  get #isAnyOn(): boolean {
    const { parameters } = this.#facts.device;
    return switches.some((variable) => parameters.has(variable) && parameters.read(variable));
  }

  async #load(): Promise<void> {
    const { log } = this.#facts.device.host;
    const Loaded = await outputs.untilLoaded((error) =>
      log.error('Data streams are sent later', { reason: error.message }),
    );
    this.#outputs = new Loaded(this.#facts);
    if (this.#isOpen) this.#outputs.follow();
  }
}

/** Is fulfilled when something is done, however it ends, and after so many ms of the host at the latest. */
function atMost(milliseconds: number, something: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds).unref();
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    something.then(done, done);
  });
}
