import {
  legacyProtocols,
  measurementDataOutput,
  ScanDataFormat,
  type ValueOf,
  type Variable,
} from '@azimuth/model';
import { type KnownValues, knownValue } from '../connection/declarations.js';
import { addressText, enumerationWords } from '../forms/value-text.js';
import type { Severity } from '../parts/states.js';
import type { Sending } from './sending.js';

const { ScanDataEnable, ScanDataEthSettings, ScanDataFormat: format } = measurementDataOutput.members;
const { EtherAuxEnabled } = legacyProtocols.members;

/** `Protocol` of a destination: the scanner waits for clients. */
export const tcp = 2;

export interface DataDestination {
  readonly isOn: boolean;
  /** `192.168.0.10:2115`; for formats and protocols with a way of their own, that way in words. */
  readonly to: string;
  /** Its name, `Compact`. */
  readonly format: string;
}

/** The destination of the scan data of a scanner; undefined until it is known. */
export function destinationOf(known: KnownValues): DataDestination | undefined {
  const isOn = knownValue(known, ScanDataEnable);
  const settings = knownValue(known, ScanDataEthSettings);
  const number = knownValue(known, format);
  if (isOn === undefined || settings === undefined) return undefined;
  const { Protocol, IPAddress, Port } = settings;
  return {
    // LMDscandata is sent to legacy sessions that have requested it, whether the stream is on or off.
    isOn: number === ScanDataFormat.LMDscandata ? knownValue(known, EtherAuxEnabled) !== false : isOn,
    to: wayOf(number, Protocol, IPAddress, Port),
    format: number === undefined ? '' : (enumerationWords(ScanDataFormat).get(number) ?? ''),
  };
}

/** Protocol, address and port of a data stream. */
export type StreamSettings = ValueOf<'ScanDataEthSettings'>;

/** The destination of a stream that has no other format than Compact; undefined until it is known. */
export function compactDestinationOf(
  known: KnownValues,
  enable: Variable<boolean>,
  settings: Variable<StreamSettings>,
): DataDestination | undefined {
  const isOn = knownValue(known, enable);
  const value = knownValue(known, settings);
  if (isOn === undefined || value === undefined) return undefined;
  const { Protocol, IPAddress, Port } = value;
  return { isOn, to: wayOf(undefined, Protocol, IPAddress, Port), format: 'Compact' };
}

function wayOf(
  number: number | undefined,
  protocol: number,
  address: readonly number[],
  port: number,
): string {
  if (number === ScanDataFormat.NativeROS2) return 'programs of ROS 2';
  if (number === ScanDataFormat.LMDscandata) return 'clients of the legacy protocol';
  return protocol === tcp ? `clients at TCP port ${port}` : `${addressText('IPv4', address)}:${port}`;
}

/** Returns the reason why a stream that is on sends nothing. */
const downWords: ReadonlyMap<string, string> = new Map([
  ['port_closed', 'The scanner cannot open its TCP port. Usually, another program has it.'],
  ['no_port', 'The port of the destination is 0.'],
  ['no_address', 'The scanner has no address of its own.'],
  ['format', 'This format is not sent as a data stream.'],
  ['unreachable', 'There is no network route to the destination. The scanner tries again every second.'],
]);

/**
 * Returns whether the data of a stream reaches its destination:
 * @returns how good that is, in a word, and why
 */
export function routeState(
  { isOn, to }: DataDestination,
  sending: Sending,
): readonly [severity: Severity, word: string, why: string] {
  if (!isOn) return ['idle', 'Off', 'Nothing is sent.'];
  if (sending.kind !== 'known') return ['good', 'On', ''];
  const { down } = sending.sent;
  if (down !== undefined) {
    return [
      'bad',
      'Cannot send',
      downWords.get(down) ?? 'The network fails. The log of the scanner says more.',
    ];
  }
  if (sending.isRefused)
    return ['warn', 'Refused', `Nobody listens at ${to}: start the program that receives the data.`];
  if (sending.isLosing)
    return ['warn', 'Losing telegrams', 'The network takes fewer than the scanner sends.'];
  return sending.rate === 0
    ? [
        'idle',
        'Nothing sent',
        'The stream is on, but the scanner does not measure, or no program is connected.',
      ]
    : ['good', 'Sending', ''];
}
