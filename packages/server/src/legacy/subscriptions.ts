import type { Device } from '@azimuth/device';
import type { LegacyNames } from '@azimuth/device/legacy';
import { boolean, measurementDataOutput, ScanDataFormat } from '@azimuth/model';
import { type Framing, lmdName } from '@azimuth/telegrams/legacy';
import type { LoginSession } from './calls.js';
import type { Reading } from './readings.js';
import type { ScanData, ScanSink } from './scan-data/scan-data.js';
import type { Outcome } from './values.js';
import { expectEnd, telegramOf, type Values } from './values.js';

/** Session that sends the request. */
export interface RequestingSession extends LoginSession {
  /** Follows an event in this framing. It replaces an earlier subscription to the same name. */
  follow(
    name: string,
    follow: (changed: () => void) => () => void,
    event: () => Uint8Array | undefined,
  ): void;
  unfollow(name: string): void;
  /** Sink for its scan telegrams. */
  scanSink(framing: Framing): ScanSink;
  followScans(begin: () => () => void): void;
  /** Closes it at once, even if responses wait. */
  close(): void;
  /** True if a warning was logged that no scan data is sent because of ScanDataFormat. */
  hasFormatWarning: boolean;
}

const onOrOff = boolean();
const { ScanDataFormat: scanDataFormat } = measurementDataOutput.members;

interface Options {
  readonly device: Device;
  readonly names: LegacyNames;
  readonly reading: Reading;
  readonly scanData: ScanData;
}

/** Subscriptions of sessions to events and to scan data (`sEN`). */
export class Subscriptions {
  readonly #device: Device;
  readonly #names: LegacyNames;
  readonly #reading: Reading;
  readonly #scanData: ScanData;

  constructor({ device, names, reading, scanData }: Options) {
    this.#device = device;
    this.#names = names;
    this.#reading = reading;
    this.#scanData = scanData;
  }

  /** Subscribes or unsubscribes. @throws LegacyRefusal for a name without events, Refusal for a wrong switch */
  follow(name: string, values: Values, framing: Framing, session: RequestingSession): Outcome {
    const isScanData = name === lmdName;
    // An unknown event is refused before a wrong switch.
    if (!isScanData) this.#reading.follow(name, () => undefined)();
    const isBare = values.atEnd && this.#names.isFollowedWithoutValue(name);
    const on = isBare || values.read(onOrOff, '');
    expectEnd(values);
    const frame = telegramOf(framing, 'sEA', name, onOrOff, on);
    if (!on) session.unfollow(name);
    else if (isScanData) {
      this.#warnOfFormat(session);
      const sink = session.scanSink(framing);
      return { frame, next: () => session.followScans(() => this.#scanData.subscribe(sink)) };
    } else {
      session.follow(
        name,
        (changed) => this.#reading.follow(name, changed),
        () => this.#event(name, framing, session),
      );
    }
    return { frame };
  }

  /**
   * Warns that a subscriber gets no scan data while ScanDataFormat has another value. Nothing else shows the reason.
   */
  #warnOfFormat(session: RequestingSession): void {
    const format = this.#device.read(scanDataFormat);
    if (session.hasFormatWarning || format === ScanDataFormat.LMDscandata) return;
    session.hasFormatWarning = true;
    session.log.warn(
      `sEN LMDscandata gets no scan data: ScanDataFormat is ${format} but must be ${ScanDataFormat.LMDscandata} (LMDscandata)`,
    );
  }

  /** Returns the telegram of an event. If it cannot be made, returns undefined and logs the error. */
  #event(name: string, framing: Framing, { log }: RequestingSession): Uint8Array | undefined {
    try {
      return this.#reading.event(name, framing);
    } catch (error) {
      log.error('An event could not be sent over the legacy protocol', {
        event: name,
        reason: String(error),
      });
      return undefined;
    }
  }
}
