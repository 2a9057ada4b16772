import { randomBytes } from 'node:crypto';
import type { Device } from '@azimuth/device';
import { CableWatch, Traffic } from '@azimuth/http';
import { WebServer } from './application/web-server.js';
import { ControlPort } from './control/control-port.js';
import { DnsSdWire } from './dns-sd/dns-sd-wire.js';
import { EventMetrics } from './events/event-metrics.js';
import { LegacyInterfaces, noLegacyPorts } from './legacy/legacy-interfaces.js';
import { ListeningAddress } from './network/listening-address.js';
import { SearchWire } from './search/search-wire.js';
import type { ServiceOptions } from './service-options.js';
import { DataStreams } from './streams/data-streams.js';
import type { PtpPorts } from './time/ptp-ports.js';
import { HttpsInterface } from './tls/https-interface.js';
import { attachment, type Wire } from './wire.js';

/** The wires of a scanner by name, in the order in which they open. Those that it does not have are undefined. */
export interface Wires {
  readonly hardware: Wire;
  readonly faults: Wire | undefined;
  readonly web: WebServer;
  readonly https: HttpsInterface;
  readonly ptp: Wire;
  readonly streams: DataStreams;
  readonly legacy: LegacyInterfaces | undefined;
  readonly search: SearchWire | undefined;
  readonly dnsSd: DnsSdWire | undefined;
  readonly control: ControlPort | undefined;
}

/** Makes the wires of a scanner, and connects them. None is open yet. */
export function wiresOf(device: Device, ptp: PtpPorts, options: ServiceOptions): Wires {
  const { network, web: webOptions, openPorts, listens = true, faults } = options;
  const { errors } = device;
  const { timeouts, httpsPort = 0, shared } = webOptions;
  const link = faults?.link;
  const cable = link && new CableWatch(link, shared?.connections);
  const address = new ListeningAddress(network, device.features.network);
  /** Distinguishes it from other scanners with the same serial number. */
  const instance = randomBytes(4).toString('hex');
  const traffic = new Traffic();
  const eventMetrics = new EventMetrics(shared?.waitingEvents);

  const { rosPeers } = options;
  const streams = new DataStreams({ device, address, mode: network.mode, rosPeers, faults, cable });
  const legacy =
    options.legacy &&
    new LegacyInterfaces({ device, address, ports: options.legacy, openPorts, faults, cable });
  const web: WebServer = new WebServer({
    ...{
      device,
      web: webOptions,
      traffic,
      eventMetrics,
      streams,
      legacy,
      faults,
      address,
      cable,
      listens,
      openPorts,
    },
    simulation: () => control?.interface,
  });
  const https = new HttpsInterface({
    ...{ device, http: web.http, address, port: httpsPort, timeouts, cable, listens },
    isOn: () => web.isOn,
  });
  const search =
    options.searchPort === undefined
      ? undefined
      : new SearchWire({
          ...{ device, address, port: options.searchPort, instance, link },
          legacy: () => legacy?.ports ?? noLegacyPorts,
          http: () => web.listeningAt,
        });
  const dnsSd =
    options.dnsSd === true
      ? new DnsSdWire({ device, web, https: () => https.listeningAt, instance, link })
      : undefined;
  const controls = options.control?.controls;
  const control: ControlPort | undefined =
    controls &&
    new ControlPort({
      port: options.control?.port,
      controls: () => controls(device),
      listeners: () => ({
        http: web.listeningAt,
        https: https.listeningAt,
        legacyA: legacy?.a,
        legacyB: legacy?.b,
      }),
      refused: (reason) => traffic.countRefusal(reason),
      errors,
    });
  return {
    hardware: attachment(() => options.host.attach?.(device)),
    faults:
      faults &&
      attachment(() => {
        const end = faults.attach(device);
        return () => {
          end();
          cable?.close();
        };
      }),
    web,
    https,
    ptp: { open: () => ptp.listenAt(address), close: () => ptp.close() },
    streams,
    legacy,
    search,
    dnsSd,
    control,
  };
}
