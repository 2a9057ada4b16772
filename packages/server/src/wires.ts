import { randomBytes } from 'node:crypto';
import type { Device } from '@azimuth/device';
import { CableWatch, Traffic } from '@azimuth/http';
import { WebServer } from './application/web-server.js';
import { ControlInterface } from './control/control-interface.js';
import { ControlPort } from './control/control-port.js';
import { VelocitySocket } from './control/velocity-socket.js';
import { DnsSdWire } from './dns-sd/dns-sd-wire.js';
import { EventMetrics } from './events/event-metrics.js';
import { LegacyInterfaces } from './legacy/legacy-interfaces.js';
import { ListenerRegistry, ListeningAddress } from './network/listening-address.js';
import { SearchWire } from './search/search-wire.js';
import type { ServiceOptions } from './service-options.js';
import { DataStreams } from './streams/data-streams.js';
import { RosOdometry } from './streams/ros-odometry.js';
import { PtpPorts } from './time/ptp-ports.js';
import { HttpsInterface } from './tls/https-interface.js';
import { attachment, type Wire } from './wire.js';

/** Wires of a scanner, and those that are needed by name. */
export type Wires = ReturnType<typeof wiresOf>;

/** Makes the wires of a scanner. None is open yet. A wire knows only those that are made before it. */
export function wiresOf(device: Device, options: ServiceOptions) {
  const { network, openPorts, listens = true, asDevice = false } = options;
  const { faults, journal, rosPeers, searchPort } = options;
  const { clock, errors, features } = device;
  const { timeouts, httpsPort = 0, shared } = options.web;
  const link = faults?.link;
  const cable = link && new CableWatch(link, shared?.connections);
  const address = new ListeningAddress(network, features.network);
  const listeners = new ListenerRegistry();
  /** Distinguishes it from other scanners with the same serial number. */
  const instance = randomBytes(4).toString('hex');
  const traffic = new Traffic();
  const eventMetrics = new EventMetrics(shared?.waitingEvents);
  const controls = options.control?.controls;
  const simulation = controls && new ControlInterface(() => controls(device), listeners);

  const hardware = attachment(() => options.hardware.attach?.(device));
  const planned =
    faults &&
    attachment(() => {
      const end = faults.attach(device);
      return () => {
        end();
        cable?.close();
      };
    });
  const streams = new DataStreams({ device, address, rosPeers, faults, cable });
  const legacy =
    options.legacy &&
    new LegacyInterfaces({
      device,
      address,
      listeners,
      ports: options.legacy,
      openPorts,
      faults,
      journal,
      cable,
    });
  const web = new WebServer({
    ...{
      device,
      web: options.web,
      asDevice,
      traffic,
      eventMetrics,
      streams,
      legacy,
      faults,
      journal,
      simulation,
    },
    ...{ address, listeners, cable, listens, openPorts },
  });
  const https = new HttpsInterface({
    device,
    web,
    address,
    listeners,
    port: httpsPort,
    timeouts,
    cable,
    listens,
  });
  const ptp = new PtpPorts({
    ...{ clock, address, ports: options.ptpPorts, link },
    failed: (error) => errors.report('ptp', error),
  });
  const ptpWire: Wire = {
    open: () => features.synchronisation.connectPtp(ptp),
    close: () => ptp.close(),
  };
  /** Listeners that follow the address open when the system has it. */
  const settings: Wire | undefined = address.follows
    ? { open: () => features.network.settled, up: () => features.network.settled, close: () => undefined }
    : undefined;
  const search =
    searchPort === undefined
      ? undefined
      : new SearchWire({
          ...{ device, address, listeners, port: searchPort, link },
          instance: asDevice ? undefined : instance,
        });
  const dnsSd =
    options.dnsSd === true && !asDevice && new DnsSdWire({ device, web, listeners, instance, link });
  const control =
    simulation && new ControlPort({ port: options.control?.port, control: simulation, traffic, errors });
  const vehicle = options.vehicle?.of(device);
  const velocityPort = options.vehicle?.velocityPort;
  const velocity =
    vehicle !== undefined && velocityPort !== undefined
      ? new VelocitySocket({ port: velocityPort, drive: vehicle.drive, errors })
      : undefined;
  const odometry =
    vehicle !== undefined && options.vehicle?.rosOdometry === true
      ? new RosOdometry({ device, address, peers: rosPeers, link, odometry: vehicle.odometry })
      : undefined;

  /** Wires in the order in which they open. */
  const list: readonly Wire[] = [
    ...[
      hardware,
      planned,
      settings,
      web,
      https,
      ptpWire,
      streams,
      legacy,
      search,
      dnsSd,
      control,
      velocity,
      odometry,
    ],
  ].filter((wire) => typeof wire === 'object');
  return {
    ...{ list, places: listeners, web, https, streams, legacy, search, control, velocity },
    ...{ traffic, eventMetrics },
  };
}
