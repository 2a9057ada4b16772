import { DeviceStatus, type Endpoint, SCdevicestate } from '@azimuth/model';
import { openFactoryPasswords } from '../access/factory-passwords.js';
import type { Device } from '../device.js';
import { networkSettings } from '../ethernet/active-settings.js';
import type { Entry } from './archive.js';
import { readme } from './readme.js';
import type { RecentLog } from './recent-log.js';

const operatingData = 'Operating data';

/** The files of a diagnostic archive. All but the description is taken at one moment. */
export async function contentOf(device: Device, log: RecentLog): Promise<readonly Entry[]> {
  // Loaded here, so that a scanner starts without it.
  const { openApi } = await import('@azimuth/model/openapi');
  const variables = valuesOf(device, () => true);
  return [
    { name: 'README.txt', content: readme },
    json('status.json', statusOf(device)),
    json('variables.json', variables),
    json('parameters.json', {
      working: device.parameters.layer('working'),
      stored: device.parameters.layer('stored'),
      factory: device.parameters.layer('factory'),
    }),
    json(
      'operating-data.json',
      valuesOf(device, ({ group }) => group === operatingData),
    ),
    json('network.json', networkOf(device)),
    json('versions.json', versionsOf(device)),
    json('openapi.json', openApi(device.edition)),
    { name: 'log.ndjson', content: log.text },
  ];
}

function json(name: string, value: unknown): Entry {
  return { name, content: `${JSON.stringify(value, undefined, 2)}\n` };
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
