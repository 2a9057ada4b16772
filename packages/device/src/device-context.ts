/** @packageDocumentation @internal */

import {
  builtInProduct,
  type Edition,
  type Endpoint,
  endpointsOf,
  extensions,
  extensionsOf,
  type FileEndpoint,
  filesOf,
  type Product,
  parametersOf,
  productOf,
  status,
  type Variable,
  type Variant,
} from '@azimuth/model';

import { Access } from './access/access.js';
import { CredentialStore } from './access/credential-store.js';
import type { Passwords } from './access/credentials.js';
import { Announcements } from './announcements.js';
import { DeviceTime } from './clock/device-time.js';
import { FirmwareRecord } from './firmware-record.js';
import { ContainedHardware } from './hardware/contained-hardware.js';
import {
  type Identity,
  type IdentitySource,
  identityOf,
  type StatedIdentity,
  serialNumberOf,
} from './identity/identity.js';
import type { Clock, Log, Random, Storage } from './interfaces/environment.js';
import type { Hardware } from './interfaces/hardware/index.js';
import { Conditions } from './lifecycle/conditions.js';
import { Lifecycle } from './lifecycle/lifecycle.js';
import {
  errorMessage,
  UnexpectedErrors,
  unexpectedError,
  type Where,
} from './lifecycle/unexpected-errors.js';
import { Parameters, type ValueSet } from './parameters/parameters.js';
import { damagedStorage, Saving, unreadableParameters } from './parameters/saving.js';
import { factorySet, factorySwitches, type StoredContent, StoredState } from './parameters/stored-state.js';
import { RecentLog } from './recent-log.js';
import { stderrLog } from './stderr-log.js';
import { CheckedStorage } from './storage/checked-storage.js';
import { Documents } from './storage/documents.js';
import type { Tally } from './tally.js';

const { DeviceStatus, SCdevicestate } = status.members;

/** Parts of the context of a device. */
export interface DeviceContextOptions {
  /**
   * The identity, or a function that reads it from the storage. `{ serialNumber: '23450001' }` is enough: the rest follows from
   * the product.
   */
  readonly identity: StatedIdentity | IdentitySource;
  /** The time of the scanner: a {@link SystemClock}, or in tests a {@link VirtualClock}. */
  readonly clock: Clock;
  /** Source of nonces, salts and keys: {@link SystemRandom}. */
  readonly random: Random;
  /** Where the scanner stores everything: a {@link FolderStorage}, or in tests a {@link MemoryStorage}. */
  readonly storage: Storage;
  /** The hardware, and the log of the scanner. */
  readonly hardware: Hardware;
  /** The product; the built-in one by default. Its folder remembers it. */
  readonly product?: Product | undefined;
  /**
   * The version of the firmware to run: a release, or a version of the product. By default that of the storage. The
   * newest one for an empty storage.
   */
  readonly release?: string | undefined;
  /** True: a scanner with a newer release than `release` runs the newer one. By default, its start fails. */
  readonly keepsNewerRelease?: boolean | undefined;
  /** The equipment: `full`, `basic` or `picoScan120`. See docs/releases.md. */
  readonly variant: Variant;
  /**
   * Parameters of a new scanner that differ from the factory defaults, by name, as in the interface. Invalid ones are
   * left out, and the log reports them.
   */
  readonly initialParameters?: ValueSet | undefined;
  /**
   * Passwords of a scanner that starts for the first time, for REST and the legacy protocol. Later, or if they are
   * lost, they are ignored, and the log reports it.
   */
  readonly passwords?: Passwords | undefined;
  /** True: the passwords are reset once, to `passwords` or those of the factory, for the owner of the machine. */
  readonly resetPasswords?: boolean | undefined;
  /** Counts unexpected errors of several scanners together. */
  readonly errorsTogether?: Tally<Where> | undefined;
}

/** The part of the interface in a release and a variant. */
interface ServedInterface {
  readonly edition: Edition;
  /** All endpoints by name, aliases included. */
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** The endpoints beside the specification under `/x/`, by name. */
  readonly extensions: ReadonlyMap<string, Variable<unknown>>;
  /** The transferable files by name. */
  readonly files: ReadonlyMap<string, FileEndpoint>;
}

const servedByProduct = new WeakMap<Product, Map<string, ServedInterface>>();

/**
 * Shared by all scanners of a process with the same product, version and variant: it has hundreds of entries, and nobody changes
 * it.
 */
function servedInterface(edition: Edition): ServedInterface {
  const product = productOf(edition);
  const byEdition = servedByProduct.get(product) ?? new Map<string, ServedInterface>();
  servedByProduct.set(product, byEdition);
  const key = `${edition.version ?? edition.release} ${edition.variant}`;
  let served = byEdition.get(key);
  if (served === undefined) {
    served = {
      edition,
      endpoints: endpointsOf(edition),
      extensions: extensionsOf(edition),
      files: filesOf(edition),
    };
    byEdition.set(key, served);
  }
  return served;
}

/** The context of every feature: the parts of a scanner that all of them can use. */
export interface DeviceContext {
  readonly product: Product;
  readonly identity: Identity;
  /** A clock that passes the exceptions of its callbacks to `errors`, and the scanner continues. */
  readonly clock: Clock;
  /** The device clock. */
  readonly time: DeviceTime;
  readonly random: Random;
  readonly hardware: ContainedHardware;
  readonly log: RecentLog;
  readonly storage: CheckedStorage;
  readonly documents: Documents;
  /** Receives the errors of callbacks, which no request waits for. */
  readonly errors: UnexpectedErrors;
  readonly announcements: Announcements;
  readonly parameters: Parameters;
  readonly conditions: Conditions;
  readonly lifecycle: Lifecycle;
  readonly firmware: FirmwareRecord;
  readonly state: StoredState;
  readonly credentials: CredentialStore;
  readonly access: Access;
  readonly saving: Saving;
  /** The interface since the last boot. */
  readonly served: { current: ServedInterface };
}

/**
 * Reads the storage of a scanner, and decides its release.
 * @throws DowngradeRefused
 */
export async function openContext(options: DeviceContextOptions): Promise<DeviceContext> {
  const { random, variant, product = builtInProduct } = options;
  const { errorsTogether: together } = options;
  const log = recentLogOf(options);
  const errors = new UnexpectedErrors({
    ...{ log, clock: options.clock },
    together,
  });
  const clock = errors.containing(options.clock, 'timer');
  const time = new DeviceTime(clock);
  const storage = new CheckedStorage(options.storage, log);
  const documents = new Documents(storage, log);
  const announcements = new Announcements((error) =>
    log.error('A change could not be passed on', { reason: errorMessage(error) }),
  );
  const conditions = new Conditions(
    () => announcements.changed([DeviceStatus, SCdevicestate]),
    () => announcements.changed([extensions.members.conditions]),
  );
  const hardware = new ContainedHardware(options.hardware, { log, conditions, clock });
  // Passwords first: a new scanner stores them before anything else, so that they are missing only if they are lost.
  const credentials = await CredentialStore.open({
    ...{ documents, random, conditions, log },
    product: { ...product, label: await labelOf(options, documents) },
    isUsed: () => storage.isUsed(),
    passwords: options.passwords,
    reset: options.resetPasswords === true,
  });
  if (storage.damage !== undefined) {
    log.error('What this scanner has stored was damaged', { reason: storage.damage });
    conditions.setLost(damagedStorage, true);
  }
  await storage.open(documents, conditions);
  const neverUsed = await documents.neverUsed();
  const { identity, lost: isIdentityLost } = await identityOf(
    options.identity,
    documents,
    neverUsed,
    product,
  );
  const { firmware, lost: isFirmwareLost } = await FirmwareRecord.load(
    documents,
    neverUsed,
    product,
    options.release,
  );
  const fresh = (): StoredContent => ({
    saved: time.stamp(),
    parameters: factorySet(firmware.editionOf(variant), firmware),
    neverSaved: true,
    plugUnread: true,
    ...factorySwitches(firmware.release),
  });
  const state = new StoredState(documents, fresh, options.initialParameters);
  await firmware.updateOnStart(options.release, options.keepsNewerRelease);
  conditions.setLost('lost record of the firmware', isFirmwareLost);
  conditions.setLost('lost serial number', isIdentityLost);
  errors.onError(() => conditions.set('DS_RecoverableError', unexpectedError, true));
  const lifecycle = new Lifecycle({
    clock,
    restart: (kind) => hardware.reboot(kind),
    failed: (error) => log.error('The scanner could not boot', { reason: errorMessage(error) }),
    listenerFailed: (error) => errors.report('reboot', error),
  });
  const parameters = new Parameters(announcements, lifecycle, {
    lacks: (name) => product.lacks(name, firmware.version),
    profiles: product.profiles,
  });
  await state.load(neverUsed);
  return {
    ...{ product, identity, clock, time, random, hardware: hardware, log, storage, documents, errors },
    ...{ announcements, conditions, lifecycle, parameters, firmware, state, credentials },
    access: new Access({ clock, random, log, credentials, state, realm: product.realm }),
    saving: new Saving({ parameters, state, time, announcements, conditions, firmware, product }),
    served: { current: servedInterface(firmware.editionOf(variant)) },
  };
}

/** The first passwords of this scanner alone. Undefined if the product has none for it. */
async function labelOf(
  { product, identity }: DeviceContextOptions,
  documents: Documents,
): Promise<Passwords | undefined> {
  if (product === undefined || product.labels.size === 0) return undefined;
  return product.labels.get(await serialNumberOf(identity, documents));
}

/** A log that is older than the device already has lines of the start. */
function recentLogOf({ hardware, clock }: DeviceContextOptions): RecentLog {
  try {
    const { log = stderrLog } = hardware;
    return log instanceof RecentLog ? log : new RecentLog(log, clock);
  } catch {
    return new RecentLog(unreadableLog, clock);
  }
}

/** A log in place of one that the hardware cannot give: each line fails, and DeviceStatus is 7. */
const unreadableLog: Log = { info: noLine, warn: noLine, error: noLine };

function noLine(): never {
  throw new TypeError('the hardware does not give its log');
}

/** Called at a boot: the last installed release runs, and the working parameters are the stored ones. */
export async function bootContext(context: DeviceContext): Promise<void> {
  const { firmware, state, conditions, served, parameters, log } = context;
  await firmware.boot(state);
  conditions.setLost(unreadableParameters, state.found === 'lost');
  conditions.set('DS_RecoverableError', unexpectedError, false);
  served.current = servedInterface(firmware.editionOf(served.current.edition.variant));
  parameters.boot(
    parametersOf(served.current.edition),
    (variable) => variable.factoryValue(firmware),
    state.content.parameters,
    ({ message: refusal }) =>
      log.warn('A stored value is not allowed; the factory value is used', { fault: refusal }),
  );
}
