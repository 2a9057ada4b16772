import {
  DeviceStatus,
  type Edition,
  type Endpoint,
  editionFacts,
  extensions,
  PlugState,
  type Provenance,
  SCdevicestate,
  type Variable,
} from '@azimuth/model';
import { openApi } from '@azimuth/model/openapi';
import type { DeviceTime } from '../clock/device-time.js';
import { networkSettings } from '../ethernet/active-settings.js';
import type { Network } from '../ethernet/network.js';
import { openFactoryPasswords, type PasswordStores } from '../general/passwords.js';
import type { ContainedHardware } from '../hardware/contained-hardware.js';
import type { Identity } from '../identity/identity.js';
import type { Conditions } from '../lifecycle/conditions.js';
import type { Lifecycle } from '../lifecycle/lifecycle.js';
import type { Parameters } from '../parameters/parameters.js';
import { mostLines, type RecentLog } from '../recent-log.js';
import type { Documents } from '../storage/documents.js';
import type { Entry } from './archive.js';

const operatingData = 'Operating data';

/** The source of the content of an archive. */
interface Described extends PasswordStores {
  readonly identity: Identity;
  readonly firmware: Provenance;
  /** The endpoints of the present edition. */
  readonly served: {
    readonly current: { readonly edition: Edition; readonly endpoints: ReadonlyMap<string, Endpoint> };
  };
  readonly read: <T>(variable: Variable<T>) => T;
  readonly parameters: Parameters;
  readonly conditions: Conditions;
  readonly lifecycle: Lifecycle;
  readonly documents: Documents;
  readonly network: Network;
  readonly hardware: Pick<ContainedHardware, 'temperature'>;
  readonly time: DeviceTime;
}

/** A file of an archive, with its line in README.txt. */
interface File {
  readonly name: string;
  readonly about: string;
  readonly content: string;
}

/** The files of a diagnostic archive. All but the description have the state of one moment. */
export function contentOf(scanner: Described, log: RecentLog): readonly Entry[] {
  const files: readonly File[] = [
    json(
      'status.json',
      'device status and its causes, files that are missing or could not be read, the system plug, levels that can log in with a factory password, temperature, device clock',
      statusOf(scanner),
    ),
    json(
      'variables.json',
      'every variable that can be read, by its name',
      valuesOf(scanner, () => true),
    ),
    json('parameters.json', 'the parameters: working, stored, factory', {
      working: scanner.parameters.layer('working'),
      stored: scanner.parameters.layer('stored'),
      factory: scanner.parameters.layer('factory'),
    }),
    json(
      'operating-data.json',
      'power cycles and operating hours',
      valuesOf(scanner, ({ group }) => group === operatingData),
    ),
    ...historyOf(scanner),
    json(
      'network.json',
      'the network settings in force, and the address that the scanner can be reached under',
      networkOf(scanner),
    ),
    json(
      'versions.json',
      'who the scanner is, its release and variant, what it runs on',
      versionsOf(scanner),
    ),
    json(
      'openapi.json',
      'the description of exactly this release and variant',
      openApi(scanner.served.current.edition),
    ),
    {
      name: 'log.ndjson',
      about: `the last ${mostLines} lines of the log since the process started, one JSON object a line, the oldest first`,
      content: log.text,
    },
  ];
  return [{ name: 'README.txt', content: pageOf(files) }, ...files];
}

/** README.txt: the list of files. */
function pageOf(files: readonly File[]): string {
  const width = Math.max(...files.map(({ name }) => name.length));
  return [
    'Diagnostic archive of a scanner',
    '',
    ...files.map(({ name, about }) => `${name.padEnd(width)}  ${about}`),
    '',
    'Passwords, their hashes, session tokens, passphrases and private keys are in none of these files.',
    '',
  ].join('\n');
}

function json(name: string, about: string, value: unknown): File {
  return { name, about, content: `${JSON.stringify(value, undefined, 2)}\n` };
}

/** Scanners without fields have no history. */
function historyOf(scanner: Described): File[] {
  const { history } = extensions.members;
  if (!history.isIn(scanner.served.current.edition)) return [];
  return [
    json(
      'detection-history.json',
      'when which field was infringed, and where; the newest comes last',
      scanner.read(history),
    ),
  ];
}

function valuesOf(scanner: Described, includes: (endpoint: Endpoint) => boolean): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const endpoint of new Set(scanner.served.current.endpoints.values())) {
    if (endpoint.kind === 'variable' && includes(endpoint)) values[endpoint.name] = scanner.read(endpoint);
  }
  return values;
}

function statusOf(scanner: Described): unknown {
  const { conditions, lifecycle, documents, hardware, time } = scanner;
  return {
    DeviceStatus: named(DeviceStatus, conditions.deviceStatus),
    SCdevicestate: named(SCdevicestate, conditions.shortState),
    conditions: conditions.inForce,
    phase: lifecycle.phase,
    allStoredCouldBeRead: conditions.intact,
    lostDocuments: documents.lost,
    systemPlug: systemPlugOf(scanner),
    levelsWithFactoryPassword: openFactoryPasswords(scanner),
    temperatureCelsius: hardware.temperature(),
    deviceClock: { utc: new Date(time.utc).toISOString(), local: time.now() },
  };
}

function systemPlugOf({ read }: Described): unknown {
  const status = read(extensions.members.plug);
  return { ...status, State: named(PlugState, status.State) };
}

function networkOf({ network }: Described): unknown {
  const settings = networkSettings.map((variable) => [variable.name, network.active.read(variable)]);
  return { reachable: network.reachable, lease: network.lease, inForce: Object.fromEntries(settings) };
}

function versionsOf({
  identity,
  served: {
    current: { edition },
  },
  firmware,
}: Described): unknown {
  return {
    ...identity,
    ...editionFacts(edition),
    createdWith: firmware.createdWith,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
}

function named(names: Readonly<Record<string, number>>, number: number): unknown {
  return { number, name: Object.keys(names).find((name) => names[name] === number) };
}
