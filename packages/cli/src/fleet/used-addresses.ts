import type { ScannerFacts, ScannerPorts } from '@azimuth/fleet';
import {
  imuDataOutput,
  isObject,
  measurementDataOutput,
  newestRelease,
  ScanDataFormat,
} from '@azimuth/model';

/** Address of the fleet itself. */
export interface FleetPlace {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

/** Purpose of each port of a scanner. */
const purposes = [
  ['http', 'HTTP'],
  ['https', 'HTTPS'],
  ['legacyA', 'the legacy protocol'],
  ['legacyB', 'the legacy protocol'],
] as const;

const { ScanDataEnable, ScanDataEthSettings, ScanDataFormat: scanDataFormat } = measurementDataOutput.members;
const { EncoderDataEnable, EncoderDataEthSettings, rosFrameId } = measurementDataOutput.members;
const { ImuDataEnable, ImuDataEthSettings } = imuDataOutput.members;

/** Streams of a scanner. For streams over TCP, it listens for clients. */
const streams = [
  { what: 'scan data', enable: ScanDataEnable, settings: ScanDataEthSettings },
  { what: 'IMU data', enable: ImuDataEnable, settings: ImuDataEthSettings },
  { what: 'encoder data', enable: EncoderDataEnable, settings: EncoderDataEthSettings },
] as const;

type Stream = (typeof streams)[number];

/** `Protocol` of a stream over TCP. */
const tcp = 2;

/** Address of streams of a scanner without an address of its own. */
const sharedHost = '127.0.0.1';

/** Reason why a scanner cannot send a stream with its parameters. */
interface StreamProblem {
  /** The wrong parameter. */
  readonly settings: string;
  readonly why: string;
}

/** Parameters that decide which streams a scanner sends from its first start on. */
type Sender = Pick<ScannerFacts, 'ports' | 'parameters' | 'release' | 'variant'>;

/** The addresses and ports at which scanners of a fleet listen. Each can be used only once. */
export class UsedAddresses {
  readonly #groups = new Map<string, string>();
  readonly #fleetPlace: FleetPlace | undefined;

  /** @param fleetPlace the address of the fleet itself, if it is known */
  constructor(fleetPlace?: FleetPlace) {
    this.#fleetPlace = fleetPlace;
  }

  /**
   * Reserves the ports of a scanner of a group.
   * @returns the reason why they are not available, and an alternative; undefined if they are reserved
   */
  reserve(ports: ScannerPorts, group: string): string | undefined {
    const own = new Map<number, string>();
    for (const [name, purpose] of purposes) {
      const { host, [name]: port } = ports;
      if (port === 0) continue;
      const place = `${host}:${port}`;
      const other = own.get(port);
      if (other !== undefined)
        return `at ${place}, a scanner would have both ${other} and ${purpose}; choose another port`;
      own.set(port, purpose);
      if (this.#isOfFleet(host, port))
        return `${place} is the port of the fleet itself; choose another port or address, or give the fleet another --port`;
      const owner = this.#groups.get(place);
      if (owner !== undefined) {
        const advice = name === 'http' ? 'port or address so that they differ' : 'another address';
        const what = name === 'http' ? place : `${place}, for ${purpose},`;
        return `${what} is also used in ${owner}; choose ${advice}`;
      }
      this.#groups.set(place, group);
    }
    return undefined;
  }

  /**
   * Reserves the ports of the streams that the parameters of a scanner of a group switch on, and send over TCP. If the
   * address of the fleet is not known, they are not checked: its scanners may run on several computers.
   */
  reserveStreams(sender: Sender, group: string): StreamProblem | undefined {
    if (this.#fleetPlace === undefined) return undefined;
    const host = sender.ports?.host ?? sharedHost;
    const own = new Map(purposes.map(([name, purpose]) => [sender.ports?.[name], purpose]));
    const reserved = new Set<number>();
    for (const stream of streams) {
      const port = streamTcpPort(stream, sender);
      // Streams of a scanner with the same port share it.
      if (port === undefined || reserved.has(port)) continue;
      const mistake = this.#streamProblem(stream, host, port, own.get(port));
      if (mistake !== undefined) return { settings: stream.settings.name, why: mistake };
      reserved.add(port);
      this.#groups.set(`${host}:${port}`, group);
    }
    return undefined;
  }

  #streamProblem(
    { what, settings }: Stream,
    host: string,
    port: number,
    own: string | undefined,
  ): string | undefined {
    const place = `${host}:${port}`;
    const advice = `another Port in ${settings.name}`;
    if (own !== undefined)
      return `at ${place}, a scanner would have both ${own} and ${what}; choose ${advice}`;
    if (this.#isOfFleet(host, port))
      return `${place}, for ${what} over TCP, is the port of the fleet itself; choose ${advice}, or give the group an address`;
    const owner = this.#groups.get(place);
    if (owner === undefined) return undefined;
    return `${place}, for ${what} over TCP, is also used in ${owner}; give the group an address, or each scanner ${advice}`;
  }

  #isOfFleet(host: string, port: number): boolean {
    const fleetPlace = this.#fleetPlace;
    if (fleetPlace === undefined || fleetPlace.port !== port) return false;
    return (
      ['0.0.0.0', '::', host].includes(fleetPlace.host) ||
      (fleetPlace.host === 'localhost' && host === '127.0.0.1')
    );
  }
}

/** Returns the port at which a scanner waits for clients of a stream, by its parameters; undefined if it does not. */
function streamTcpPort({ enable, settings }: Stream, sender: Sender): number | undefined {
  const { parameters } = sender;
  if (parameters[enable.name] !== true) return undefined;
  if (enable === ScanDataEnable && isNativeRos2(sender)) return undefined;
  const destination = parameters[settings.name];
  if (!isObject(destination) || destination.Protocol !== tcp) return undefined;
  const { Port: port } = destination;
  return typeof port === 'number' && port !== 0 ? port : undefined;
}

function isNativeRos2({ parameters, release = newestRelease, variant }: Sender): boolean {
  return (
    parameters[scanDataFormat.name] === ScanDataFormat.NativeROS2 && rosFrameId.isIn({ release, variant })
  );
}
