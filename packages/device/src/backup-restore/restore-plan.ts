import {
  backupRestore,
  everyParameterOf,
  everyRestorePart,
  JobStatus,
  type Product,
  Refusal,
  type Release,
  RestoreResult,
  restorePartOf,
  restores,
  type ValueOf,
  type Variable,
  valueOfEntry,
} from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { carriedOver, type FirmwareRecord } from '../firmware-record.js';
import type { ValueSet } from '../parameters/parameters.js';
import { type Backup, type BackupEntry, parameterId, RestoreRefused } from './backup-file.js';

/**
 * True if a restore with this filter changes a variable.
 * @throws Refusal 6 for an unknown bit
 */
export function selectedBy(filter: number): (variable: Variable<unknown>) => boolean {
  if (filter > everyRestorePart) {
    throw new Refusal('outOfRange', 'Filter', `expected 0 to ${everyRestorePart}, got ${filter}`);
  }
  return (variable) => restores(filter, restorePartOf(variable));
}

/** The scanner that a backup is to fit. */
export interface BackupTarget {
  readonly deviceIdentification: string;
  readonly firmware: Pick<FirmwareRecord, 'release' | 'releaseOf' | 'versionText'>;
  readonly product: Pick<Product, 'groups' | 'extensions'>;
}

interface Options extends BackupTarget {
  readonly selects: (variable: Variable<unknown>) => boolean;
}

/**
 * Checks the device type and the release of a backup.
 * @throws RestoreRefused DeviceIdentificationError for another device type, VersionConversionError for a newer release
 * or an unknown one
 */
export function assertSuitable(backup: Backup, target: Omit<BackupTarget, 'product'>): void {
  suitableRelease(backup, target);
}

/** The release of a backup. */
function suitableRelease(
  backup: Backup,
  { deviceIdentification, firmware }: Omit<BackupTarget, 'product'>,
): Release {
  if (backup.deviceIdentification !== deviceIdentification) {
    throw new RestoreRefused(
      'DeviceIdentificationError',
      `device identification: expected ${deviceIdentification}, got another`,
    );
  }
  return releaseOf(backup.version, firmware);
}

/**
 * The values of a backup, with the checks of single writes. Values of an older release are migrated as by an update.
 * Parameters of another release or variant stay in the list: the scanner stores them, as an update does.
 * @throws RestoreRefused DeviceIdentificationError for another device type, VersionConversionError for a newer release
 * or an unknown one, UpdateRepositoryError naming each parameter that does not exist or whose value is not allowed.
 */
export function plannedRestore(backup: Backup, { selects, ...target }: Options): ValueSet {
  const from = suitableRelease(backup, target);
  const { release } = target.firmware;
  const parameters = new Map(everyParameterOf(target.product).map((variable) => [variable.name, variable]));
  const entries = backup.parameters.flatMap((group) => group.parameters);
  const refusals = new Map<string, string>();
  const named = Object.fromEntries(entries.map(({ name, value }) => [name, valueOfEntry(value)]));
  for (const entry of entries) {
    if (entry.id !== parameterId(entry.name)) refusals.set(entry.name, 'the id is that of another parameter');
  }
  for (const name of namedTwice(entries)) refusals.set(name, 'it is named twice');
  const values: [string, unknown][] = [];
  for (const [name, json] of Object.entries(carriedOver(named, from, release))) {
    const variable = parameters.get(name);
    if (variable === undefined) refusals.set(name, 'no parameter has this name');
    else if (!selects(variable)) refusals.delete(name);
    else values.push([name, checked(variable, json, refusals)]);
  }
  refuseIfAny(refusals);
  return Object.fromEntries(values);
}

function releaseOf(version: string, firmware: BackupTarget['firmware']): Release {
  const from = firmware.releaseOf(version);
  if (from !== undefined) return from;
  throw new RestoreRefused(
    'VersionConversionError',
    `version: expected that of a known release up to ${firmware.versionText}, got another`,
  );
}

function namedTwice(entries: readonly BackupEntry[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { name } of entries) (seen.has(name) ? twice : seen).add(name);
  return twice;
}

function checked(variable: Variable<unknown>, json: unknown, refusals: Map<string, string>): unknown {
  try {
    return variable.valueFrom(variable.migrated(json));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refusals.set(variable.name, error.message);
    return undefined;
  }
}

function refuseIfAny(refusals: ReadonlyMap<string, string>): void {
  if (refusals.size === 0) return;
  const [[name, reason] = ['', '']] = refusals;
  const more = refusals.size === 1 ? '' : `, and ${refusals.size - 1} more`;
  throw new RestoreRefused('UpdateRepositoryError', `${name.slice(0, 80)}: ${reason}${more}`, [
    ...refusals.keys(),
  ]);
}

const { CreateParameterBackupResult, RestoreParameterBackupResult } = backupRestore.members;

type Created = ValueOf<'CreateParameterBackupResult'>;
type Restored = ValueOf<'RestoreParameterBackupResult'>;

/** The result of a restore. */
export type RestoreOutcome = Omit<Restored, 'Status'>;

const neverCreated: Created = { Status: JobStatus.Pending, Result: false };
const neverRestored: Restored = {
  Status: JobStatus.Pending,
  RestoreResult: RestoreResult.Ok,
  ParametersFailedToRestore: [],
};

/** The results of the last backup and the last restore since the boot, for clients that poll until they are finished. */
export class BackupResults {
  readonly #announcements: Announcements;
  #created = neverCreated;
  #restored = neverRestored;

  constructor(announcements: Announcements) {
    this.#announcements = announcements;
  }

  get created(): Created {
    return this.#created;
  }

  get restored(): Restored {
    return this.#restored;
  }

  remember(): () => void {
    const [created, restored] = [this.#created, this.#restored];
    return () => {
      this.#setCreated(created);
      this.#setRestored(restored);
    };
  }

  /** Resets both at a boot. */
  clear(): void {
    this.#setCreated(neverCreated);
    this.#setRestored(neverRestored);
  }

  /** Reports the state of a backup: pending, then finished, successful or not. */
  async followCreation(create: () => Promise<void>): Promise<void> {
    this.#setCreated(neverCreated);
    let Result = false;
    try {
      await create();
      Result = true;
    } finally {
      this.#setCreated({ Status: JobStatus.Finished, Result });
    }
  }

  /** Reports the state of a restore. An internal error counts as IoError. */
  async followRestore(restore: () => Promise<RestoreOutcome>): Promise<RestoreOutcome> {
    this.#setRestored(neverRestored);
    let outcome: RestoreOutcome = { RestoreResult: RestoreResult.IoError, ParametersFailedToRestore: [] };
    try {
      outcome = await restore();
      return outcome;
    } finally {
      this.#setRestored({ Status: JobStatus.Finished, ...outcome });
    }
  }

  #setCreated(created: Created): void {
    this.#created = created;
    this.#announcements.changed([CreateParameterBackupResult]);
  }

  #setRestored(restored: Restored): void {
    this.#restored = restored;
    this.#announcements.changed([RestoreParameterBackupResult]);
  }
}
