import {
  DeviceStatus,
  imuDataOutput,
  measurementDataOutput,
  status,
  type ValueOf,
  type Variable,
} from '@azimuth/model';
import { isLoopback, type StreamName } from '../../scan-data/stream-settings.js';
import { isBehindNat } from '../nat.js';
import { isOneDevice } from '../network.js';
import type { Observation } from '../observation.js';

const { ScanDataEnable, ScanDataEthSettings, EncoderDataEnable, EncoderDataEthSettings } =
  measurementDataOutput.members;
const { ImuDataEnable, ImuDataEthSettings } = imuDataOutput.members;

/** A data stream as the checks see it. */
export interface Stream {
  readonly name: StreamName;
  readonly title: string;
  readonly enable: Variable<boolean>;
  readonly destination: Variable<ValueOf<'ScanDataEthSettings'>>;
}

export const allStreams: readonly Stream[] = [
  { name: 'scan', title: 'scan data', enable: ScanDataEnable, destination: ScanDataEthSettings },
  { name: 'imu', title: 'IMU data', enable: ImuDataEnable, destination: ImuDataEthSettings },
  { name: 'encoder', title: 'encoder data', enable: EncoderDataEnable, destination: EncoderDataEthSettings },
];

/** Where a stream goes. */
export interface Destination {
  readonly protocol: 'UDP' | 'TCP';
  readonly address: string;
  readonly port: number;
}

/** Where a stream goes while it is on; otherwise why there is nothing to say about it. */
export function destinationOf(
  seen: Observation,
  stream: Stream,
): Destination | { readonly absent: string } | { readonly unseen: string } {
  if (seen.lacks(stream.enable)) return { absent: `this scanner has no ${stream.title}` };
  const enabled = seen.value(stream.enable);
  if (enabled === undefined) return { unseen: seen.whyUnknown(stream.enable) };
  if (!enabled) return { absent: `the stream of ${stream.title} is off` };
  const value = seen.value(stream.destination);
  if (value === undefined) return { unseen: seen.whyUnknown(stream.destination) };
  const protocol = value.Protocol === 2 ? 'TCP' : 'UDP';
  return { protocol, address: value.IPAddress.join('.'), port: value.Port };
}

/**
 * What `azimuth set` needs to send a stream to this computer. Undefined if its address is not known, or if the scanner cannot reach
 * that address because of NAT.
 */
export function aimed(
  seen: Observation,
  { destination }: Stream,
): { command: string; members: Readonly<Record<string, unknown>> } | undefined {
  const { own } = seen.facts;
  const now = seen.value(destination);
  if (own === undefined || now === undefined || isBehindNat(seen)) return undefined;
  return {
    command: seen.command(`set ${destination.name} IPAddress=${own}`),
    members: { IPAddress: own.split('.').map(Number) },
  };
}

/** Can what is sent to this destination be received at this computer? Multicast and broadcast can. */
export function comesHere(
  { facts: { own, isHere, networks } }: Observation,
  { address }: Destination,
): boolean {
  if (isLoopback(address)) return isHere;
  return address === own || networks.some((network) => network.address === address) || !isOneDevice(address);
}

const { DeviceStatus: deviceStatus } = status.members;

/** States in which nothing is measured, so that no data leaves the scanner. */
const without: ReadonlySet<number> = new Set([
  DeviceStatus.DS_Startup,
  DeviceStatus.DS_ServiceMode,
  DeviceStatus.DS_SuspendedOperation,
  DeviceStatus.DS_FatalError,
]);

/** May the scanner be measuring? Only then does it mean something that no data comes. */
export function mayMeasure(seen: Observation): boolean {
  const now = seen.value(deviceStatus);
  return now === undefined || !without.has(now);
}
