import { DeviceStatus, type Endpoint, extensions, SCdevicestate } from '@azimuth/model';
import { openFactoryPasswords } from '../access/factory-passwords.js';
import type { Device } from '../device.js';
import { networkSettings } from '../ethernet/active-settings.js';
import { Later } from '../later.js';
import type { Entry } from './archive.js';
import { mostLines, type RecentLog } from './recent-log.js';

const operatingData = 'Operating data';
const description = new Later(() => import('@azimuth/model/openapi'));

/** A file of an archive, with what its page of contents says of it. */
interface File {
  readonly name: string;
  readonly about: string;
  readonly content: string;
}

/** The files of a diagnostic archive. All but the description is taken at one moment. */
export async function contentOf(device: Device, log: RecentLog): Promise<readonly Entry[]> {
  const { openApi } = await description.loaded();
  const files: readonly File[] = [
    json(
      'status.json',
      'device status and why, lost documents, levels that can log in with the password from the factory, temperature, the device clock',
      statusOf(device),
    ),
    json(
      'variables.json',
      'every variable that can be read, by its name',
      valuesOf(device, () => true),
    ),
    json('parameters.json', 'the parameters: working, stored, factory', {
      working: device.parameters.layer('working'),
      stored: device.parameters.layer('stored'),
      factory: device.parameters.layer('factory'),
    }),
    json(
      'operating-data.json',
      'power cycles and operating hours',
      valuesOf(device, ({ group }) => group === operatingData),
    ),
    ...historyOf(device),
    json(
      'network.json',
      'the network settings in force, and the address that the scanner can be reached under',
      networkOf(device),
    ),
    json('versions.json', 'who the scanner is, its release and variant, what it runs on', versionsOf(device)),
    json('openapi.json', 'the description of exactly this release and variant', openApi(device.edition)),
    {
      name: 'log.ndjson',
      about: `the last ${mostLines} lines of the log since the process started, one JSON object a line, the oldest first`,
      content: log.text,
    },
  ];
  return [{ name: 'README.txt', content: pageOf(files) }, ...files];
}

/** The page that says what is in the archive. */
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

/** A scanner without fields detects nothing. */
function historyOf(device: Device): File[] {
  const { history } = extensions.members;
  if (!history.isIn(device.edition)) return [];
  return [
    json(
      'detection-history.json',
      'when which field was infringed, and where; the newest comes last',
      device.read(history),
    ),
  ];
}

function valuesOf(device: Device, includes: (endpoint: Endpoint) => boolean): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const endpoint of new Set(device.endpoints.values())) {
    if (endpoint.kind === 'variable' && includes(endpoint)) values[endpoint.name] = device.read(endpoint);
  }
  return values;
}

function statusOf(device: Device): unknown {
  const { conditions, lifecycle, lostDocuments, host, time, intact } = device;
  return {
    DeviceStatus: named(DeviceStatus, conditions.deviceStatus),
    SCdevicestate: named(SCdevicestate, conditions.shortState),
    conditions: conditions.inForce,
    phase: lifecycle.phase,
    allStoredCouldBeRead: intact,
    lostDocuments,
    levelsWithFactoryPassword: openFactoryPasswords(device),
    temperatureCelsius: host.temperature(),
    deviceClock: { utc: new Date(time.utc).toISOString(), local: time.now() },
  };
}

function networkOf({ network }: Device): unknown {
  const settings = networkSettings.map((variable) => [variable.name, network.active.read(variable)]);
  return { reachable: network.reachable, lease: network.lease, inForce: Object.fromEntries(settings) };
}

function versionsOf({ identity, edition, firmware }: Device): unknown {
  return {
    ...identity,
    ...edition,
    deliveredWith: firmware.createdWith,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
}

function named(names: Readonly<Record<string, number>>, number: number): unknown {
  return { number, name: Object.keys(names).find((name) => names[name] === number) };
}
