import type { Log } from '../environment.js';
import type { PtpNetwork } from '../time-sources.js';
import type { ClockHardware } from './clock.js';
import type { FirmwareInstaller } from './firmware.js';
import type { Lamp, PinLevel } from './indicators.js';
import type { NetworkHardware } from './network.js';
import type { RebootKind } from './reboot.js';
import type { EncoderHardware, Sensor } from './sensors.js';
import type { SystemPlug } from './system-plug.js';

/**
 * The hardware of a scanner, in both directions: sensors that the scanner reads, and actuators that it calls. Every
 * member is optional. docs/hardware.md says what is used in place of a member that is left out.
 *
 * Hardware may fail. If a call throws, rejects, does not end in time or returns a value outside its range, the last good
 * value or state stays, DeviceStatus is 7 until the call works again, and the log gets one line.
 */
export interface Hardware {
  /** Receives the log. By default, each entry is a line on stderr. */
  readonly log?: Log | undefined;

  /** Temperature inside the device in °C, -100 to 300. */
  temperature?(): number;
  /**
   * The share of light, 0 clean to 1 blocked, that dirt blocks in each of the seven sectors of the front screen. Missing
   * sectors are clean. It is a status, and does not change the scans of the core.
   */
  contamination?(): readonly number[];
  /** The encoder of a drive: its speed, or its counter. */
  readonly encoder?: EncoderHardware | undefined;
  /** The levels at the pins, true for high. Index 0 is InOut1. The scanner uses those of inputs and encoder ports. */
  inputs?(): readonly boolean[];
  /** The system plug in the connector. Undefined without one. The same object while the same plug is plugged in. */
  systemPlug?(): SystemPlug | undefined;
  /** Errors of the hardware, in words, for example `laser too cold`. While there is one, DeviceStatus is 7. */
  errors?(): readonly string[];
  /**
   * Called once at the start. From then on, the hardware calls `changed` when a sensor has a new value, and the scanner
   * reads that sensor (all of them if it is not named) at once. The scanner calls the returned function at its end.
   * Without this member, the scanner polls the sensors: `inputs` every 10 ms, the others every second.
   */
  onChange?(changed: (sensor?: Sensor) => void): (() => void) | undefined;

  /** Drives the pins. Index 0 is InOut1. Called with all levels whenever one of them changes. */
  setOutputs?(levels: readonly PinLevel[]): void | Promise<void>;
  /** Shows the lamps. Called with all lamps whenever one of them changes. */
  setLamps?(lamps: readonly Lamp[]): void | Promise<void>;
  /** Helps to find the device for this many seconds from now, for example by a sound. The lamps blink in any case. */
  findMe?(seconds: number): void | Promise<void>;
  /**
   * Restarts the device. The scanner is down: no port is open, and what had to be stored is on disk. It comes up again
   * when the promise resolves. If the process ends before, it comes up at its next start. By default, it comes up at
   * once.
   */
  reboot?(kind: RebootKind): void | Promise<void>;
  /** ms after which the scanner no longer waits for `reboot`, and comes up. 120,000 by default. */
  readonly rebootLimit?: number | undefined;
  /** Called after LoadFactoryDefaults has set all parameters: resets what the hardware itself has stored. */
  factoryReset?(): void | Promise<void>;

  /** The network of the system. */
  readonly network?: NetworkHardware | undefined;
  /** The clock of the system. */
  readonly clock?: ClockHardware | undefined;
  /** PTP messages with the time stamps of the network hardware. By default, sockets of the server. */
  readonly ptp?: PtpNetwork | undefined;
  /** Installs firmware. */
  readonly firmware?: FirmwareInstaller | undefined;
}
