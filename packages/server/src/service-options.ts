import type { Clock, Device, DeviceOptions, Hardware } from '@azimuth/device';
import type { ControlledVehicle, Controls } from '@azimuth/device/control';
import type { Faults } from '@azimuth/device/faults';
import type { Journal } from '@azimuth/device/journal';
import type { OpenPorts } from '@azimuth/http';
import type { WebServerOptions } from './application/application.js';
import type { LegacyPorts } from './legacy/legacy-interfaces.js';
import type { NetworkOptions } from './network/listening-address.js';

/** Hardware that a scanner with its wires runs on. */
export interface ServiceHardware extends Hardware {
  /**
   * Called when the device is open, before its ports are opened. Returns a function to call when the scanner is closed.
   */
  attach?(device: Device): () => void;
}

/** Planned faults of a scanner, for tests. */
export interface ServiceFaults extends Faults {
  /** Called when the device is open, before its ports are opened. Returns a function to call when the scanner is closed. */
  attach(device: Device): () => void;
}

/** Control port with its commands and queries. */
export interface ControlOptions {
  /** Port; 0 for any free one; undefined if only pages of the scanner control it. */
  readonly port?: number | undefined;
  /** Makes the commands and queries for a device, for example `virtualControls` of `azimuth-scanner/simulation`. */
  readonly controls: (device: Device) => Controls;
}

/** The vehicle of a simulated scanner, for closed loops. */
export interface VehicleOptions {
  /** Returns the vehicle of a device, for example `controlledVehicle` of `azimuth-scanner/simulation`. */
  readonly of: (device: Device) => ControlledVehicle;
  /** UDP port that receives velocities, on loopback; 0 for any free one; undefined for none. */
  readonly velocityPort?: number | undefined;
  /** True if ROS 2 gets its odometry: /odom, /tf and /clock. False by default. */
  readonly rosOdometry?: boolean | undefined;
}

/** What a scanner with its network services is made of. */
export interface ServiceOptions {
  /** The scanner itself: identity, storage, measuring core and so on. */
  readonly device: Omit<DeviceOptions, 'clock' | 'hardware'>;
  /** The time of the scanner and of all its protocols. */
  readonly clock: Clock;
  /** The hardware, and the log of the scanner. */
  readonly hardware: ServiceHardware;
  /**
   * True if clients find nothing that a device does not have: no extensions, pages and headers of our own, and no
   * announcement by DNS-SD. A control port with a port of its own is not affected. False by default.
   */
  readonly asDevice?: boolean | undefined;
  /** Where it listens. */
  readonly network: NetworkOptions;
  /** The web server: REST, events, pages and GUI. */
  readonly web: WebServerOptions;
  /** Legacy interfaces; undefined if they are disabled. */
  readonly legacy?: LegacyPorts | undefined;
  /** UDP port of the device search: 0 for any free port, undefined if it is disabled. */
  readonly searchPort?: number | undefined;
  /** True if the web server is announced by DNS-SD. */
  readonly dnsSd?: boolean | undefined;
  /** IPv4 addresses at which native ROS 2 announces the scanner, beside multicast. */
  readonly rosPeers?: readonly string[] | undefined;
  /** Control port; undefined if it is disabled. */
  readonly control?: ControlOptions | undefined;
  /** The simulated vehicle; undefined if nothing outside of the control port drives it. */
  readonly vehicle?: VehicleOptions | undefined;
  /** Planned faults; undefined for a scanner without them. */
  readonly faults?: ServiceFaults | undefined;
  /** Receives what clients do to the scanner; undefined if nobody keeps it. */
  readonly journal?: Journal | undefined;
  /** Ports of HTTP and of the legacy protocol that are open before the scanner starts, which then takes them over. */
  readonly openPorts?: OpenPorts | undefined;
  /**
   * True if it has a web server of its own. By default, it has. Without one, `requests` receives the requests that came
   * to other ports.
   */
  readonly listens?: boolean | undefined;
  /** UDP port of time servers; default 123. */
  readonly timeServerPort?: number | undefined;
  /** UDP ports of PTP; default 319 and 320. They are opened only while TSCRole is TX_PTP_SLAVE. */
  readonly ptpPorts?: { readonly event: number; readonly general: number } | undefined;
}
