import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type Scanner, ScannerError, UnreachableError } from '@azimuth/client';
import { broadcastAddress } from '@azimuth/client/discover';
import { ScanDataFormat } from '@azimuth/model';

/** The data streams of a scanner with the variables that control them. */
export const streams = {
  scan: { title: 'scan data', enable: 'ScanDataEnable', destination: 'ScanDataEthSettings' },
  imu: { title: 'IMU data', enable: 'ImuDataEnable', destination: 'ImuDataEthSettings' },
  encoder: { title: 'encoder data', enable: 'EncoderDataEnable', destination: 'EncoderDataEthSettings' },
} as const;

export type StreamName = keyof typeof streams;

/** Settings of a stream. */
export interface StreamSettings {
  readonly name: StreamName;
  readonly enabled: boolean;
  readonly protocol: 'UDP' | 'TCP';
  /** Destination address: `192.168.0.100`; of no meaning for TCP. */
  readonly address: string;
  readonly port: number;
  /** The name of a format that cannot be read here; undefined if it can. */
  readonly foreignFormat?: string;
}

/**
 * Reads the settings of a stream, without a login. Undefined if the release or variant of the scanner does not have
 * it.
 */
export async function streamSettings(
  scanner: Scanner,
  name: StreamName,
): Promise<StreamSettings | undefined> {
  const { enable, destination } = streams[name];
  try {
    const enabled = await scanner.read(enable);
    const { Protocol, IPAddress, Port } = await scanner.read(destination);
    const format = name === 'scan' ? await foreignFormat(scanner) : {};
    const protocol = Protocol === 2 ? 'TCP' : 'UDP';
    return { name, enabled, protocol, address: IPAddress.join('.'), port: Port, ...format };
  } catch (error) {
    if (error instanceof ScannerError && error.statusName === 'notFound') return undefined;
    throw error;
  }
}

async function foreignFormat(scanner: Scanner): Promise<{ foreignFormat?: string }> {
  const number = await scanner.read('ScanDataFormat');
  if (number === ScanDataFormat.Compact || number === ScanDataFormat.MSGPACK) return {};
  const [name = `format ${number}`] =
    Object.entries(ScanDataFormat).find(([, value]) => value === number) ?? [];
  return { foreignFormat: name };
}

/** The addresses of this computer and a scanner for each other. */
export interface Route {
  /** The address of this computer that the scanner sees. */
  readonly own: string;
  /** True if the scanner is on this computer. */
  readonly local: boolean;
}

/** Finds the route to the scanner at a URL; nothing is sent. @throws UnreachableError if there is none. */
export async function routeTo(url: string): Promise<Route> {
  try {
    return await routeToHost(hostInUrl(url));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreachableError(url, `there is no IPv4 route to it (${reason})`, error);
  }
}

/** Finds the route to a host. @throws an error of the system */
export async function routeToHost(host: string): Promise<Route> {
  const socket = createSocket('udp4');
  try {
    socket.connect(9, host);
    await once(socket, 'connect');
    const own = socket.address().address;
    return { own, local: isThisComputer(socket.remoteAddress().address) };
  } finally {
    socket.close();
  }
}

export function hostInUrl(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
}

/** True if a datagram to this address is received here. Broadcasts are. */
export function isHere(address: string, { own, local }: Route): boolean {
  if (isLoopback(address)) return local;
  if (address === own || address === '255.255.255.255') return true;
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family }) => family === 'IPv4')
    .some((at) => at.address === address || broadcastAddress(at.address, at.netmask) === address);
}

export function isMulticast(address: string): boolean {
  const first = Number(address.split('.')[0]);
  return first >= 224 && first <= 239;
}

/** Every address of loopback is this computer, and not only 127.0.0.1. */
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Returns all addresses of this computer, in all of its networks. */
export function addressesHere(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address);
}

/** True if a host is this computer by its loopback: `localhost`, `127.0.3.4`, `[::1]`, `::ffff:127.0.0.1`. */
export function isLoopback(host: string): boolean {
  const address = bare(host);
  if (isIP(address) === 0) return /^(?:.+\.)?localhost\.?$/i.test(address);
  return loopback.check(address, addressFamily(address));
}

/**
 * True if a host is this computer. Of names, only `localhost` counts.
 * @param host as in a URL, or as the system writes it: `[fe80::1]`, `fe80::1%eth0`
 * @param addresses those of this computer
 */
export function isThisComputer(host: string, addresses: readonly string[] = addressesHere()): boolean {
  if (isLoopback(host)) return true;
  const address = bare(host);
  if (isIP(address) === 0) return false;
  const own = new BlockList();
  for (const one of addresses.map(bare)) own.addAddress(one, addressFamily(one));
  return own.check(address, addressFamily(address));
}

function addressFamily(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/** Returns the address without the brackets of a URL, and without the network interface. */
function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
}
