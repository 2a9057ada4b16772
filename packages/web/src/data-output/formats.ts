import {
  type Declaration,
  legacyProtocols,
  measurementDataOutput,
  ScanDataFormat,
  type Variable,
} from '@azimuth/model';
import { type Edition, variableNamed } from '../connection/declarations.js';

const {
  ScanDataConfig,
  compactTelegramType1Content,
  rosDomainId,
  rosFrameId,
  rosParentFrameId,
  rosNamespace,
} = measurementDataOutput.members;
const { EtherAuxEnabled, EtherAuxIPPort, EtherHostIPPort } = legacyProtocols.members;

type FormatNumber = (typeof ScanDataFormat)[keyof typeof ScanDataFormat];

/** A variable, or a member of one, with its label. */
export interface Setting {
  readonly variable: Variable<unknown>;
  /** Members on the way to it; empty for the variable itself. */
  readonly path: readonly string[];
  readonly label: string;
}

/** A format of scan data: its purpose, and the settings that count for it. */
export interface Format {
  readonly number: FormatNumber;
  /** Its purpose in one line. */
  readonly purpose: string;
  /** True if it is sent to the destination of the stream. */
  readonly hasDestination: boolean;
  readonly settings: readonly Setting[];
  /** A scanner without this has no such format. */
  readonly needs?: Pick<Declaration, 'isIn'>;
}

function setting(variable: Variable<unknown>, label: string, ...path: readonly string[]): Setting {
  return { variable, path, label };
}

export const formats: readonly Format[] = [
  {
    number: ScanDataFormat.Compact,
    purpose: 'For programs of your own and for drivers: the smallest telegrams, one for each segment.',
    hasDestination: true,
    settings: [
      setting(compactTelegramType1Content, 'Signal strength (RSSI)', 'includeRssi'),
      setting(compactTelegramType1Content, 'Properties (reflectors)', 'includeProperties'),
    ],
  },
  {
    number: ScanDataFormat.MSGPACK,
    purpose:
      'For programs with a MessagePack library: names in each telegram, which is about twice as large.',
    hasDestination: true,
    settings: [],
  },
  {
    number: ScanDataFormat.LMDscandata,
    purpose: 'For programs of older scanners: they connect to the legacy interfaces, and ask for scans.',
    hasDestination: false,
    settings: [
      setting(EtherAuxEnabled, 'Interfaces A and B'),
      setting(EtherAuxIPPort, 'TCP port of A, text'),
      setting(EtherHostIPPort, 'TCP port of B, binary'),
      setting(ScanDataConfig, 'Signal strength (RSSI)', 'RemDataConfig', 'bEnable'),
      setting(ScanDataConfig, 'Encoder', 'EnableEncoderBlock'),
      setting(ScanDataConfig, 'Device name', 'bEnableDeviceName'),
      setting(ScanDataConfig, 'Time', 'bEnableTimeBlock'),
    ],
  },
  {
    number: ScanDataFormat.NativeROS2,
    purpose: 'For ROS 2 without a driver: the scanner is a node, and publishes scans and point clouds.',
    hasDestination: false,
    settings: [
      setting(rosFrameId, 'Frame'),
      setting(rosParentFrameId, 'Parent frame'),
      setting(rosNamespace, 'Namespace'),
      setting(rosDomainId, 'Domain'),
    ],
    needs: rosFrameId,
  },
];

export function formatOf(number: unknown): Format | undefined {
  return formats.find((format) => format.number === number);
}

/** The formats that a scanner has. The chosen one is always among them. */
export function formatsOf(edition: Edition | undefined, chosen: unknown): readonly Format[] {
  return formats.filter(
    ({ number, needs }) =>
      number === chosen || needs === undefined || edition === undefined || needs.isIn(edition),
  );
}

/** The settings of a format that a scanner has. */
export function settingsOf(
  { settings }: Pick<Format, 'settings'>,
  edition: Edition | undefined,
): readonly Setting[] {
  return settings.filter(({ variable }) => variableNamed(variable.name, edition) !== undefined);
}
