import {
  cybersecurity,
  dateAndSystemTime,
  extensions,
  imuDataOutput,
  LegacyScanMode,
  legacyProtocols,
  measurementDataOutput,
  ScanDataFormat,
  TimeRole,
  type Variable,
  webserverSettings,
} from '@azimuth/model';
import { type Edition, type KnownValues, knownValue } from '../connection/declarations.js';
import { addressText } from '../forms/value-text.js';

/** Knowledge of the page about a scanner and the way to it. */
export interface Reached extends KnownValues {
  /** The address of the scanner for people; undefined if that of a fleet stands for it. */
  readonly url: string | undefined;
}

/** Switch of a service: a variable that is written. */
export interface ServiceSwitch {
  readonly variable: Variable<unknown>;
  readonly on: unknown;
  readonly off: unknown;
  /** True if it takes effect with the network settings. */
  readonly withNetwork: boolean;
  /** Consequence of switching it off. */
  readonly losses: readonly string[];
}

/** A protocol of a scanner, at its port. */
export interface Service {
  readonly id: string;
  readonly name: string;
  readonly purpose: string;
  /** A scanner that lacks this variable or method lacks the service, or does not tell about it. */
  readonly needs: { readonly name: string; isIn(edition: Edition): boolean };
  /** Transport and port: `TCP 2111`. */
  readonly port: (reached: Reached) => string;
  readonly isEncrypted: boolean;
  /** Undefined if it is not known. By default, it is on if its switch has the value for that. */
  readonly isOn?: (reached: Reached) => boolean | undefined;
  /** More about the state, in some words. */
  readonly detail?: (reached: Reached) => string | undefined;
  readonly switch?: ServiceSwitch;
  /** The page that has more of it. */
  readonly page: readonly [id: string, words: string];
}

/** Ports that no setting changes (specification; 443 of HTTPS is fixed). */
const fixedPorts = { http: '80', https: '443', search: 30_718, ntp: 123, ptp: '319 and 320', dnsSd: 5353 };

const { SetWebserverEnabled } = webserverSettings.members;
const { httpsStatus } = cybersecurity.members;
const { EtherAuxEnabled, EtherAuxIPPort, EtherHostIPPort, EnableColaScan, EtherLegacyScanMode } =
  legacyProtocols.members;
const { TSCRole, TSCTCSrvAddr } = dateAndSystemTime.members;
const {
  ScanDataEnable,
  ScanDataEthSettings,
  ScanDataFormat: format,
  rosFrameId,
  rosDomainId,
} = measurementDataOutput.members;
const { EncoderDataEnable, EncoderDataEthSettings } = measurementDataOutput.members;
const { ImuDataEnable, ImuDataEthSettings } = imuDataOutput.members;

/** The switch that both interfaces of the legacy protocol have. */
const legacySwitch: ServiceSwitch = {
  variable: EtherAuxEnabled,
  on: true,
  off: false,
  withNetwork: true,
  losses: [
    'Both interfaces close, A and B. Controllers, drivers and tools that use them lose the scanner.',
    'If the web server is switched off, too, nothing can switch it on again.',
  ],
};

const searchLosses = [
  'Search tools of vendors no longer find the scanner, and cannot set its address.',
  'If nobody knows its address any more, only a list of the network shows it.',
];

export const services: readonly Service[] = [
  {
    id: 'http',
    name: 'Web server (HTTP)',
    purpose: 'These pages, programs (REST), events and files',
    needs: SetWebserverEnabled,
    port: ({ url }) => `TCP ${portIn(url, 'http:') ?? fixedPorts.http}`,
    isEncrypted: false,
    isOn: () => true,
    page: ['network', 'Network'],
  },
  {
    id: 'https',
    name: 'Web server (HTTPS)',
    purpose: 'The same, encrypted, with a certificate',
    needs: httpsStatus,
    port: ({ url }) => `TCP ${portIn(url, 'https:') ?? fixedPorts.https}`,
    isEncrypted: true,
    isOn: (reached) => knownValue(reached, httpsStatus)?.enabled,
    detail: (reached) =>
      knownValue(reached, httpsStatus)?.enabled === false ? 'needs a certificate' : undefined,
    page: ['certificates', 'Certificates'],
  },
  ...(
    [
      ['A', EtherAuxIPPort, 'text'],
      ['B', EtherHostIPPort, 'binary'],
    ] as const
  ).map(
    ([letter, port, form]): Service => ({
      id: `legacy-${letter}`,
      name: `Interface ${letter} (CoLa)`,
      purpose: `Controllers and older programs, usually ${form}`,
      needs: EtherAuxEnabled,
      port: (reached) => `TCP ${knownValue(reached, port) ?? port.type.initial}`,
      isEncrypted: false,
      switch: legacySwitch,
      page: ['users', 'Passwords'],
    }),
  ),
  {
    id: 'search',
    name: 'Device search',
    purpose: 'Tools find the scanner without its address',
    needs: EtherLegacyScanMode,
    port: () => `UDP ${fixedPorts.search}`,
    isEncrypted: false,
    isOn(reached) {
      const mode = knownValue(reached, EtherLegacyScanMode);
      return mode === undefined ? undefined : mode !== LegacyScanMode.DISABLED;
    },
    detail: (reached) => searchWords[knownValue(reached, EtherLegacyScanMode) ?? LegacyScanMode.DISABLED],
    switch: {
      variable: EtherLegacyScanMode,
      on: LegacyScanMode.IP_CONFIG_TIME_LIMIT,
      off: LegacyScanMode.DISABLED,
      withNetwork: true,
      losses: searchLosses,
    },
    page: ['network', 'Network'],
  },
  {
    id: 'older-search',
    name: 'Device search',
    purpose: 'Tools find the scanner without its address, and set it',
    needs: EnableColaScan,
    port: () => `UDP ${fixedPorts.search}`,
    isEncrypted: false,
    switch: { variable: EnableColaScan, on: true, off: false, withNetwork: true, losses: searchLosses },
    page: ['network', 'Network'],
  },
  {
    id: 'ntp',
    name: 'Time server (NTP)',
    purpose: 'The clock follows a server',
    needs: TSCRole,
    port: () => `UDP ${fixedPorts.ntp}`,
    isEncrypted: false,
    detail: (reached) => {
      const address = knownValue(reached, TSCTCSrvAddr);
      const isOn = knownValue(reached, TSCRole) === TimeRole.TX_CLIENT;
      return isOn && address !== undefined ? `asks ${addressText('IPv4', address)}` : undefined;
    },
    switch: timeSwitch(TimeRole.TX_CLIENT),
    page: ['time', 'Time'],
  },
  {
    id: 'ptp',
    name: 'PTP',
    purpose: 'The clock follows a master, more exactly',
    needs: TSCRole,
    port: () => `UDP ${fixedPorts.ptp}`,
    isEncrypted: false,
    switch: timeSwitch(TimeRole.TX_PTP_SLAVE),
    page: ['time', 'Time'],
  },
  stream(
    'scan',
    'Scan data',
    ScanDataEnable,
    ScanDataEthSettings,
    'The scans, as telegrams to programs',
    (known) => {
      const number = knownValue(known, format);
      if (number === ScanDataFormat.LMDscandata) return 'the format is sent at the interfaces A and B';
      return number === ScanDataFormat.NativeROS2 ? 'the format is sent by ROS 2' : undefined;
    },
  ),
  {
    id: 'ros2',
    name: 'ROS 2',
    purpose: 'The scans, as messages of a ROS 2 node',
    needs: rosFrameId,
    port: (reached) => `UDP from ${7400 + 250 * (knownValue(reached, rosDomainId) ?? 0)}`,
    isEncrypted: false,
    isOn(reached) {
      const number = knownValue(reached, format);
      return number === undefined ? undefined : number === ScanDataFormat.NativeROS2;
    },
    detail: () => 'a format of the scan data',
    page: ['data-output', 'Data output'],
  },
  stream('imu', 'IMU data', ImuDataEnable, ImuDataEthSettings, 'Motion and position, as telegrams'),
  stream('encoder', 'Encoder data', EncoderDataEnable, EncoderDataEthSettings, 'The encoder, as telegrams'),
  {
    id: 'dns-sd',
    name: 'DNS-SD',
    purpose: 'Browsers and systems find the web server',
    // The interface says nothing of it. Scanners that tell more than the interface have it.
    needs: extensions.members.network,
    port: () => `UDP ${fixedPorts.dnsSd}`,
    isEncrypted: false,
    isOn: (reached) => (knownValue(reached, extensions.members.network) === undefined ? undefined : true),
    detail: () => 'with the web server',
    page: ['network', 'Network'],
  },
];

const searchWords: Readonly<Record<number, string>> = {
  [LegacyScanMode.ENABLED]: 'may set the address at any time',
  [LegacyScanMode.IP_CONFIG_DISABLED]: 'cannot set the address',
  [LegacyScanMode.IP_CONFIG_TIME_LIMIT]: 'may set the address for 60 s after a boot',
};

function timeSwitch(on: number): ServiceSwitch {
  return { variable: TSCRole, on, off: TimeRole.TX_NONE, withNetwork: false, losses: [] };
}

function stream(
  id: string,
  name: string,
  enable: Variable<boolean>,
  settings: typeof ScanDataEthSettings,
  purpose: string,
  otherWay: (known: KnownValues) => string | undefined = () => undefined,
): Service {
  return {
    id,
    name,
    purpose,
    needs: enable,
    port(reached) {
      const destination = knownValue(reached, settings);
      return destination === undefined ? '…' : `${isTcp(destination) ? 'TCP' : 'UDP'} ${destination.Port}`;
    },
    isEncrypted: false,
    isOn(reached) {
      const isOn = knownValue(reached, enable);
      return isOn === undefined ? undefined : isOn && otherWay(reached) === undefined;
    },
    detail(reached) {
      const destination = knownValue(reached, settings);
      const other = otherWay(reached);
      if (other !== undefined || destination === undefined) return other;
      return isTcp(destination) ? 'for clients' : `to ${addressText('IPv4', destination.IPAddress)}`;
    },
    switch: {
      variable: enable,
      on: true,
      off: false,
      withNetwork: false,
      losses: [
        `Programs get no ${name.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())} any more.`,
      ],
    },
    page: ['data-output', 'Data output'],
  };
}

/** `Protocol` of a destination: the scanner waits for clients. */
function isTcp({ Protocol }: { readonly Protocol: number }): boolean {
  return Protocol === 2;
}

/** True if a service is on; undefined if that is not known. */
export function isServiceOn(service: Service, reached: Reached): boolean | undefined {
  const { isOn, switch: way } = service;
  if (isOn !== undefined) return isOn(reached);
  const value = way && reached.value(way.variable.name);
  return value === undefined ? undefined : value === way?.on;
}

/** The port in a URL of this protocol; undefined for another protocol. */
function portIn(url: string | undefined, protocol: 'http:' | 'https:'): string | undefined {
  if (url === undefined) return undefined;
  const { port, protocol: used } = new URL(url);
  if (used !== protocol) return undefined;
  return port === '' ? fixedPorts[protocol === 'http:' ? 'http' : 'https'] : port;
}

/** The services that a scanner of an edition has. */
export function servicesOf(edition: Edition | undefined): readonly Service[] {
  return edition === undefined ? [] : services.filter(({ needs }) => needs.isIn(edition));
}
