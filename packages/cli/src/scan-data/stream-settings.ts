import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { type Scanner, ScannerError, UnreachableError } from '@azimuth/client';
import { broadcastAddressOf } from '@azimuth/client/discover';
import { ScanDataFormat } from '@azimuth/model';
import { isLoopback, isThisComputer } from './own-addresses.js';

/** The data streams of a scanner with the variables that steer them. */
export const streams = {
  scan: { title: 'scan data', enable: 'ScanDataEnable', destination: 'ScanDataEthSettings' },
  imu: { title: 'IMU data', enable: 'ImuDataEnable', destination: 'ImuDataEthSettings' },
  encoder: { title: 'encoder data', enable: 'EncoderDataEnable', destination: 'EncoderDataEthSettings' },
} as const;

export type StreamName = keyof typeof streams;

/** What a scanner does with a stream. */
export interface StreamSettings {
  readonly name: StreamName;
  readonly enabled: boolean;
  readonly protocol: 'UDP' | 'TCP';
  /** `192.168.0.100`; of no meaning for TCP. */
  readonly address: string;
  readonly port: number;
  /** The name of a format that is not read here; undefined if it is one that is. */
  readonly foreignFormat?: string;
}

/** Asks a scanner, which takes no login. Undefined for a stream that its release or variant does not have. */
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

/** How this computer and a scanner see each other. */
export interface Route {
  /** The address of this computer that the scanner sees. */
  readonly own: string;
  /** Is the scanner on this computer? */
  readonly local: boolean;
}

/** The route to the scanner at a URL; nothing is sent. @throws UnreachableError if there is none. */
export async function routeTo(url: string): Promise<Route> {
  try {
    return await routeToHost(hostOf(url));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreachableError(url, `there is no IPv4 route to it (${reason})`, error);
  }
}

/** The same to a host. @throws an error of the system */
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

export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Whether a datagram to this address is received here. Broadcasts are. */
export function isHere(address: string, { own, local }: Route): boolean {
  if (isLoopback(address)) return local;
  if (address === own || address === '255.255.255.255') return true;
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family }) => family === 'IPv4')
    .some((at) => at.address === address || broadcastAddressOf(at.address, at.netmask) === address);
}

export function isMulticast(address: string): boolean {
  const first = Number(address.split('.')[0]);
  return first >= 224 && first <= 239;
}
