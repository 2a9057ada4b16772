import {
  basicSettings,
  DeviceStatus,
  dataReduction,
  ScanDataFormat as formats,
  measurementDataOutput,
  PerformanceProfile,
  performanceProfiles,
  status,
} from '@azimuth/model';
import { valueIn } from '../state/derived-values.js';
import type { ReceivedScans } from '../state/scanner-snapshot.js';
import type { ScanSource } from '../watch/scan-source.js';
import type { ScanCount } from './scan-count.js';
import type { ScanPorts } from './scan-ports.js';

const { ScanDataEnable, ScanDataEthSettings, ScanDataFormat } = measurementDataOutput.members;
const { PerformanceProfileNumber } = basicSettings.members;
const { LFPintervalFilter } = dataReduction.members;

/** Time (ms) over which the rate and the losses are stated. */
const window = 60_000;

/** Time (ms) between two marks. */
const betweenMarks = 5000;

type Values = ReadonlyMap<string, unknown>;

/** Where a scanner sends its scan data. */
export interface Destination {
  /** IPv4. */
  readonly address: string;
  readonly port: number;
}

/** What had come at a time. */
interface Mark {
  readonly at: number;
  readonly scans: number;
  readonly telegrams: number;
  readonly lost: number;
}

/** The scan data of one scanner over UDP, as far as it is sent to this computer. */
export class ScanReception implements ScanSource {
  readonly settings = [
    ScanDataEnable,
    ScanDataEthSettings,
    ScanDataFormat,
    PerformanceProfileNumber,
    LFPintervalFilter,
  ];
  readonly #ports: ScanPorts;
  readonly #isHere: (destination: Destination) => boolean;
  #open: { readonly port: number; readonly serial: string; readonly count: ScanCount } | undefined;
  #expectedRate: number | undefined;
  #marks: readonly Mark[] = [];

  /** @param isHere true if what is sent there arrives at this computer, and may be received */
  constructor(ports: ScanPorts, isHere: (destination: Destination) => boolean) {
    this.#ports = ports;
    this.#isHere = isHere;
  }

  async follow(values: Values, serial: string | undefined): Promise<void> {
    const port = serial === undefined ? undefined : this.#portIn(values);
    this.#expectedRate = expectedRate(values);
    if (port !== this.#open?.port || serial !== this.#open?.serial) await this.close();
    // A port that could not be opened is tried again.
    if (port !== undefined && serial !== undefined)
      this.#open = { port, serial, count: this.#ports.open(port, serial) };
  }

  received(now: number): ReceivedScans | undefined {
    // A port that another program has says nothing about the scanner.
    if (this.#open === undefined || !this.#ports.isOpen(this.#open.port)) return undefined;
    const { scans, telegrams, lost, lastAt } = this.#open.count;
    const mark = { at: now, scans, telegrams, lost };
    // The clock may have been set back.
    this.#marks = this.#marks.filter(({ at }) => at <= now);
    const newest = this.#marks.at(-1);
    if (newest === undefined || now - newest.at >= betweenMarks)
      this.#marks = [...this.#marks.filter(({ at }) => now - at <= window), mark];
    const from = this.#marks[0] ?? mark;
    const seconds = (now - from.at) / 1000;
    const gone = Math.max(0, lost - from.lost);
    const all = telegrams - from.telegrams + gone;
    return {
      rate: seconds === 0 ? 0 : (scans - from.scans) / seconds,
      expectedRate: seconds === 0 ? undefined : this.#expectedRate,
      ...{ total: scans, lost, lastAt },
      lossShare: all === 0 ? 0 : gone / all,
    };
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    this.#marks = [];
    if (open !== undefined) await this.#ports.close(open.port, open.serial);
  }

  /** Returns the port of this computer to which scan data goes now; undefined if it goes elsewhere, or nowhere. */
  #portIn(values: Values): number | undefined {
    const to = valueIn(values, ScanDataEthSettings);
    const isSent = valueIn(values, ScanDataEnable) === true && isMeasuring(values);
    const format = valueIn(values, ScanDataFormat);
    const isTelegrams = format === undefined || format === formats.Compact || format === formats.MSGPACK;
    if (to === undefined || !isSent || !isTelegrams || to.Protocol !== udp || to.Port === 0) return undefined;
    return this.#isHere({ address: to.IPAddress.join('.'), port: to.Port }) ? to.Port : undefined;
  }
}

/** The value of `Protocol` for UDP. */
const udp = 1;

/** A scanner that starts, is serviced or does not measure sends nothing: other conditions tell of it. */
function isMeasuring(values: Values): boolean {
  const now = valueIn(values, status.members.DeviceStatus);
  return (
    now !== undefined && now >= DeviceStatus.DS_NormalOperation && now !== DeviceStatus.DS_SuspendedOperation
  );
}

/** Scans per second, by the performance profile and the scans that are left out. */
function expectedRate(values: Values): number {
  const profile = valueIn(values, PerformanceProfileNumber) ?? PerformanceProfile.MODE_3;
  const { bEnable, uiReductionFactor } = valueIn(values, LFPintervalFilter) ?? {
    bEnable: false,
    uiReductionFactor: 1,
  };
  return performanceProfiles[profile].frequency / 100 / (bEnable ? uiReductionFactor : 1);
}
