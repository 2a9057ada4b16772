import { type Endpoint, Fault, type Method, status, type Variable } from '@azimuth/model';
import { backupRestoreRoom } from './backup-restore/backup-restore-room.js';
import { basicSettingsRoom } from './basic-settings/basic-settings-room.js';
import { cybersecurityRoom } from './cybersecurity/cybersecurity-room.js';
import type { Device } from './device.js';
import { diagnosticFileRoom } from './diagnostic-file/diagnostic-file-room.js';
import { ethernetRoom } from './ethernet/ethernet-room.js';
import { firmwareUpdateRoom } from './firmware-update/firmware-update-room.js';
import { checksumRoom } from './general/checksum.js';
import { passwordActs } from './general/passwords.js';
import { savingActs } from './general/saving.js';
import { userLevelActs } from './general/user-levels.js';
import { deviceRoom } from './identity/device-room.js';
import { legacyInterfaceSettings } from './legacy-protocols/ports.js';
import { missingBehind } from './missing.js';
import { operatingDataRoom } from './operating-data/operating-data-room.js';
import type { Act, Computed, Room } from './room.js';
import { sessionTokenActs } from './session-tokens/session-token-acts.js';
import { statusRoom } from './status/status-room.js';
import { webserverSettingsRoom } from './webserver-settings/webserver-settings-room.js';

type Perform = Act['perform'];

/** All rooms of a device, by what they compute and do. */
export class Rooms {
  readonly #computed = new Map<Variable<unknown>, Computed>();
  /** The computed variables that follow each variable. */
  readonly #followers = new Map<Variable<unknown>, readonly Variable<unknown>[]>();
  readonly #acts = new Map<Method<unknown, unknown>, Perform>();
  readonly #heeded = new Set<Variable<unknown>>();
  readonly #device: Device;

  constructor(device: Device) {
    this.#device = device;
    for (const room of roomsOf(device)) this.#add(room);
    device.announcements.subscribeTo(this.#followers.keys(), (changed) => this.#announceFollowers(changed));
  }

  computed(variable: Variable<unknown>): (() => unknown) | undefined {
    return this.#computed.get(variable)?.value;
  }

  /** What a method does. One that nothing stands behind yet says so, with status 3. */
  act(method: Method<unknown, unknown>): Perform {
    return this.#acts.get(method) ?? (() => Promise.reject(notBuilt(method)));
  }

  /** Does something stand behind it: a state that it is computed from, or an act? */
  isBuilt(endpoint: Endpoint): boolean {
    if (endpoint.kind === 'method') return this.#acts.has(endpoint);
    return endpoint.stored || this.#computed.has(endpoint);
  }

  /** Does a parameter have an effect? */
  isHeeded(variable: Variable<unknown>): boolean {
    return this.#heeded.has(variable);
  }

  statusChanged(): void {
    const { DeviceStatus, SCdevicestate } = status.members;
    this.#device.announcements.changed([DeviceStatus, SCdevicestate]);
  }

  /** Announces what follows the variables that have changed. */
  #announceFollowers(changed: readonly Variable<unknown>[]): void {
    const followers = new Set<Variable<unknown>>();
    for (const variable of changed) {
      for (const follower of this.#followers.get(variable) ?? []) followers.add(follower);
    }
    if (followers.size > 0) this.#device.announcements.changed([...followers]);
  }

  #add({ heeds = [], computed = [], acts = [] }: Room): void {
    for (const variable of [...heeds, ...computed.flatMap(({ from }) => from)]) this.#heeded.add(variable);
    for (const entry of computed) {
      this.#computed.set(entry.variable, entry);
      for (const source of entry.from) {
        this.#followers.set(source, [...(this.#followers.get(source) ?? []), entry.variable]);
      }
    }
    for (const { method, perform } of acts) this.#acts.set(method, perform);
  }
}

function roomsOf(device: Device): readonly Room[] {
  const { access, credentials, state, counters, identity, host } = device;
  return [
    { acts: passwordActs(access, credentials) },
    { acts: userLevelActs(state, credentials) },
    { acts: savingActs(device) },
    { acts: sessionTokenActs(device.sessionTokens) },
    statusRoom(device.conditions, device.temperatureAlarm),
    checksumRoom({
      identity,
      stored: () => state.content.parameters,
      release: () => device.edition.release,
      intact: () => device.intact,
    }),
    basicSettingsRoom(device.parameters, device.lamps, device.measuring),
    diagnosticFileRoom(device.diagnosis),
    deviceRoom(identity, () => device.edition.release),
    device.synchronisation.room,
    ethernetRoom(identity, device.network),
    firmwareUpdateRoom(device.firmwareUpdate),
    // Where they listen, the wires follow.
    { heeds: legacyInterfaceSettings },
    ...device.senses.rooms,
    webserverSettingsRoom(state),
    backupRestoreRoom(device.backups, device.backupResults),
    operatingDataRoom(counters, state, host),
    cybersecurityRoom(device.https),
  ];
}

function notBuilt(method: Method<unknown, unknown>): Fault {
  return new Fault(
    'internalServerError',
    '',
    `${method.name} is not built yet; what is missing: ${missingBehind(method)}`,
  );
}
