import type { DeviceOptions, Scan } from '@azimuth/device';
import { measurementDataOutput, ScanDataFormat, type Variable } from '@azimuth/model';
import type { Framing } from '@azimuth/telegrams/legacy';
import { FlatCore } from '@azimuth/test-support/flat-core';
import { type Frame, FrameReader } from '@azimuth/test-support/legacy/frames';
import { type Channel, type Scan as Decoded, decodeScan } from '@azimuth/test-support/legacy/scan';
import { TestDevice } from '@azimuth/test-support/test-device';
import type { ScanSink } from '../../../src/legacy/scan-data/scan-data.js';
import { LegacyScanData } from '../../../src/legacy/scan-data/scan-data.js';

export const output = measurementDataOutput.members;

/** Duration (ms) of a revolution of profile 2. */
export const turn = 1000 / 15;

/** A session that stores the telegrams sent to it. */
export class Sink implements ScanSink {
  readonly frames: Uint8Array[] = [];
  /** Telegrams that came while it was busy. */
  lost = 0;
  isBusy = false;

  constructor(readonly framing: Framing) {}

  send(frame: Uint8Array): boolean {
    if (this.isBusy) this.lost += 1;
    else this.frames.push(frame);
    return !this.isBusy;
  }

  get scans(): Decoded[] {
    return this.frames.map(decoded);
  }

  get last(): Decoded {
    return decoded(this.frames.at(-1));
  }
}

/** Returns the content of a frame, cut and read without our own code. */
export function decoded(bytes: Uint8Array | undefined): Decoded {
  return decodeScan(onlyFrame(bytes));
}

function onlyFrame(bytes: Uint8Array | undefined): Frame {
  const reader = new FrameReader();
  const [frame, ...more] = reader.push(Buffer.from(bytes ?? []));
  if (frame === undefined || more.length > 0 || reader.pending > 0) throw new Error('one telegram expected');
  return frame;
}

/** Returns the channel of a content. */
export function channel({ wide, narrow }: Decoded, content: string): Channel {
  const all = [...wide, ...narrow];
  const found = all.find((one) => one.content === content);
  if (found === undefined) throw new Error(`no ${content} among ${all.map((one) => one.content)}`);
  return found;
}

/** Fills a scan by a rule for each place of an echo; mm and strength. */
export function seeing(
  rule: (beam: number, echo: number) => readonly [distance: number, rssi: number],
): (scan: Scan) => Scan {
  return (scan) => {
    for (let beam = 0; beam < scan.geometry.beams; beam++) {
      for (let echo = 0; echo < 3; echo++) {
        const [distance, rssi] = rule(beam, echo);
        scan.distance[3 * beam + echo] = distance;
        scan.rssi[3 * beam + echo] = rssi;
      }
    }
    return scan;
  };
}

/** A scanner of profile 2 on virtual time, from its start at 0 on, and its scan data; in format LMDscandata. */
export class LegacyScanner {
  readonly scanData: LegacyScanData;

  private constructor(
    readonly testScanner: TestDevice,
    readonly core: FlatCore,
  ) {
    this.scanData = new LegacyScanData(testScanner.device);
  }

  static async open(
    facts: Partial<Omit<DeviceOptions, 'storage' | 'clock' | 'core'>> = {},
  ): Promise<LegacyScanner> {
    const core = new FlatCore();
    const lmd = new LegacyScanner(await TestDevice.open({ core, ...facts }), core);
    lmd.set(output.ScanDataFormat, ScanDataFormat.LMDscandata);
    return lmd;
  }

  get device(): TestDevice['device'] {
    return this.testScanner.device;
  }

  set<T>(variable: Variable<T>, value: T): void {
    this.device.parameters.change((change) => change.set(variable, value));
  }

  /** Changes members of a variable. */
  alter<T extends object>(variable: Variable<T>, members: Partial<T>): void {
    this.set(variable, { ...this.device.read(variable), ...members });
  }

  /** Lets so many revolutions of profile 2 pass. */
  turns(count: number): void {
    this.testScanner.clock.advance(count * turn);
  }

  /** Makes a sink that follows scans, and a function that stops it. */
  follow(framing: Framing = 'binary'): Sink & { readonly stop: () => void } {
    const sink = new Sink(framing);
    return Object.assign(sink, { stop: this.scanData.subscribe(sink) });
  }
}
