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

/** A data stream for the checks. */
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

/** Destination of a stream. */
export interface Destination {
  readonly protocol: 'UDP' | 'TCP';
  readonly address: string;
  readonly port: number;
}

/** Returns the destination of a stream that is on; otherwise the reason why there is none. */
export function streamDestination(
  observation: Observation,
  stream: Stream,
): Destination | { readonly absent: string } | { readonly unseen: string } {
  if (observation.lacks(stream.enable)) return { absent: `this scanner has no ${stream.title}` };
  const enabled = observation.value(stream.enable);
  if (enabled === undefined) return { unseen: observation.unknownReason(stream.enable) };
  if (!enabled) return { absent: `the stream of ${stream.title} is off` };
  const value = observation.value(stream.destination);
  if (value === undefined) return { unseen: observation.unknownReason(stream.destination) };
  const protocol = value.Protocol === 2 ? 'TCP' : 'UDP';
  return { protocol, address: value.IPAddress.join('.'), port: value.Port };
}

/**
 * Returns the arguments of `azimuth set` that send a stream to this computer. Undefined if its address is not known,
 * or if the scanner cannot reach that address because of NAT.
 */
export function aimed(
  observation: Observation,
  { destination }: Stream,
): { command: string; members: Readonly<Record<string, unknown>> } | undefined {
  const { own } = observation.facts;
  const now = observation.value(destination);
  if (own === undefined || now === undefined || isBehindNat(observation)) return undefined;
  return {
    command: observation.command(`set ${destination.name} IPAddress=${own}`),
    members: { IPAddress: own.split('.').map(Number) },
  };
}

/** True if datagrams to this destination can be received at this computer, also by multicast and broadcast. */
export function arrivesHere(
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

/** True if the scanner may be measuring. Only then, missing data is a finding. */
export function mayMeasure(observation: Observation): boolean {
  const now = observation.value(deviceStatus);
  return now === undefined || !without.has(now);
}
