import { inTime, Mutex } from '@azimuth/async';
import { backupRestore, extensions, PlugState, type PlugStatus, type Product } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { backupOf, encodeBackup } from '../backup-restore/backup-file.js';
import { computed, type Feature } from '../feature.js';
import type { FirmwareRecord } from '../firmware-record.js';
import type { ContainedHardware } from '../hardware/contained-hardware.js';
import type { Identity } from '../identity/identity.js';
import type { Clock, Log } from '../interfaces/environment.js';
import { PlugFailure, type SystemPlug } from '../interfaces/hardware/index.js';
import type { Conditions } from '../lifecycle/conditions.js';
import type { Parameters } from '../parameters/parameters.js';
import type { Saving } from '../parameters/saving.js';
import type { StoredState } from '../parameters/stored-state.js';
import { causeOf, reasonOf } from '../storage/storage-failure.js';
import { type ForeignParameters, type PlugContent, type PlugReader, plugContentOf } from './plug-content.js';

const { enableCloningPlug } = backupRestore.members;
const { plug: status } = extensions.members;
/** Reason of DeviceStatus 5 while there is a problem with the plug. */
const condition = 'system plug';
const mostCharacters = 200;

interface Options {
  readonly hardware: Pick<ContainedHardware, 'systemPlug'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly identity: Identity;
  readonly product: Product;
  readonly firmware: FirmwareRecord;
  readonly parameters: Parameters;
  readonly saving: Saving;
  readonly state: StoredState;
  readonly conditions: Conditions;
  readonly announcements: Announcements;
}

/** An action on a plug, with the status after it. */
type Act = (plug: SystemPlug, content: PlugContent) => PlugStatus | Promise<PlugStatus>;

/**
 * Cloning by the system plug (docs/system-plug.md). Each save goes to the plug, too. A boot adopts the parameters of
 * another scanner from it. The scanner's own storage has priority: a failing plug is reported, but fails neither a save
 * nor a boot.
 *
 * A power cut does no harm at any moment. Adopted parameters are stored in one document with the digest of their file.
 * So after a power cut the scanner either adopts them again, as if for the first time, or knows that it has adopted
 * them, and then only writes the plug.
 */
export class Cloning implements Feature {
  readonly computed = [computed(status, () => this.#status)];
  readonly #options: Options;
  readonly #access: PlugAccess;
  /** Runs one access to the plug after the other. */
  readonly #mutex = new Mutex();
  #status: PlugStatus = status.type.initial;
  #ended = false;

  constructor(options: Options) {
    this.#options = options;
    this.#access = new PlugAccess(options.clock, () => void this.#visit(this.#update));
    options.saving.onSaved(() => this.#visit(this.#afterSave));
  }

  get status(): PlugStatus {
    return this.#status;
  }

  /** Called when a plug was put in or pulled out. */
  plugChanged(): Promise<void> {
    return this.#visit((plug, content) => this.#statusOf(plug, content));
  }

  /** Resolves when the changes that were reported so far have been handled. */
  settled(): Promise<void> {
    return this.#mutex.run(async () => undefined);
  }

  /** Called at a boot: adopts the parameters of another scanner, or updates the plug. */
  async loaded(): Promise<void> {
    let foreign: ForeignParameters | undefined;
    this.#setStatus(status.type.initial);
    await this.#visit((plug, content) => {
      if (content.kind === 'foreign') foreign = content;
      return this.#update(plug, content);
    });
    if (foreign !== undefined) await this.#adopt(foreign);
  }

  /** Remembers the status. The plug in the connector is put back by the hardware, and keeps its file. */
  remember(): () => void {
    const before = this.#status;
    return () => this.#setStatus(before);
  }

  /** Does not wait for a running save: nobody has been told that it is done. */
  async end(): Promise<void> {
    this.#ended = true;
    const plug = this.#options.hardware.systemPlug();
    if (plug === undefined) return;
    await this.#access.for(plug, () => plug.release()).catch(() => undefined);
  }

  /** Reads the plug, and acts on the content. Never rejects. */
  #visit(act: Act): Promise<void> {
    return this.#mutex.run(async () => {
      if (!this.#ended) this.#setStatus(await this.#statusAfter(act));
    });
  }

  async #statusAfter(act: Act): Promise<PlugStatus> {
    const plug = this.#options.hardware.systemPlug();
    if (plug === undefined) return statusWith('NONE');
    if (!this.#isOn) return statusWith('IGNORED');
    try {
      const file = await this.#access.for(plug, () => plug.read());
      return await act(plug, plugContentOf(file, this.#reader));
    } catch (error) {
      const problem = error instanceof PlugFailure ? error.message : causeOf(error);
      this.#report('The system plug cannot be used; the scanner has stored the parameters itself', problem, {
        plug: plug.name,
        reason: reasonOf(error),
      });
      return statusWith('FAILED', '', problem);
    }
  }

  readonly #afterSave: Act = async (plug, content) => {
    if (content.kind === 'foreign' || content.kind === 'refused') return this.#statusOf(plug, content);
    if (content.kind === 'damaged') await this.#setAside(plug, content.reason);
    return this.#write(plug, content);
  };

  /** Updates a plug at a boot without adopting parameters. Also called when a plug responds late. */
  readonly #update: Act = async (plug, content) => {
    switch (content.kind) {
      case 'foreign':
      case 'refused':
        return this.#statusOf(plug, content);
      case 'damaged':
        return statusWith('DUE', '', await this.#setAside(plug, content.reason));
      case 'empty':
      case 'own':
        // Factory defaults that nobody has saved are not written to the plug.
        if (this.#options.state.content.neverSaved) return this.#statusOf(plug, content);
        return this.#write(plug, content);
    }
  };

  /** The status of a plug that is not written. */
  #statusOf({ name }: SystemPlug, content: PlugContent): PlugStatus {
    switch (content.kind) {
      case 'empty':
        return statusWith('DUE');
      case 'own':
        return statusWith(this.#hasStored(content) ? 'CURRENT' : 'DUE', content.serialNumber);
      case 'foreign':
        return statusWith('WAITING', content.serialNumber);
      case 'refused':
        this.#report('The parameters on the system plug cannot be taken', content.reason, { plug: name });
        return statusWith('REFUSED', content.serialNumber, content.reason);
      case 'damaged':
        this.#report('The file on the system plug cannot be read', content.reason, { plug: name });
        return statusWith('DUE', '', content.reason);
    }
  }

  /** Writes the stored parameters if the plug does not have them. */
  async #write(plug: SystemPlug, content: PlugContent): Promise<PlugStatus> {
    const { hardware, identity, log } = this.#options;
    if (!this.#hasStored(content)) {
      if (this.#ended || hardware.systemPlug() !== plug) throw new PlugFailure('the plug was pulled out');
      // Stored before the write. Otherwise a boot could adopt this file when it is older than the stored parameters.
      await this.#forgetUnread();
      await this.#access.for(plug, () => plug.write(this.#stored()));
      log.info('The system plug has the stored parameters', { plug: plug.name });
    }
    await this.#clearPlugDigest();
    return statusWith('CURRENT', identity.serialNumber);
  }

  /** Renames a damaged file. Returns the report about it. */
  async #setAside(plug: SystemPlug, reason: string): Promise<string> {
    const setAside = await this.#access.for(plug, () => plug.setAside());
    const problem = `${reason}; the file was renamed to ${setAside}`;
    this.#report('The file on the system plug is not a backup, or was damaged; it is not used', problem, {
      plug: plug.name,
    });
    return problem;
  }

  /** Stores the parameters with the digest of their file. This counts as a save, so it also writes the plug. */
  async #adopt({ digest, serialNumber, values }: ForeignParameters): Promise<void> {
    const { saving, log } = this.#options;
    try {
      await saving.restore(values, { plugTaken: digest, plugUnread: false });
      log.warn('The scanner has taken the parameters on the system plug, with address and name', {
        ofScanner: serialNumber,
        parameters: Object.keys(values).length,
      });
    } catch (error) {
      const problem = 'the scanner cannot store the parameters on the plug; its next boot tries again';
      this.#report('The parameters on the system plug could not be taken', problem, {
        reason: reasonOf(error),
      });
      this.#setStatus(statusWith('WAITING', serialNumber, problem));
    }
  }

  /** Removes the digest, which has no use now: the plug has the parameters of this scanner. A failure does no harm. */
  async #clearPlugDigest(): Promise<void> {
    const { state } = this.#options;
    if (state.content.plugTaken === undefined) return;
    await state.update(({ plugTaken: _, ...content }) => content).catch(() => undefined);
  }

  /** Stores that a plug with the own number has nothing that this scanner lacks. */
  async #forgetUnread(): Promise<void> {
    const { state } = this.#options;
    if (state.content.plugUnread === true) await state.update(({ plugUnread: _, ...content }) => content);
  }

  get #isOn(): boolean {
    const { parameters } = this.#options;
    return parameters.has(enableCloningPlug) && parameters.stored(enableCloningPlug);
  }

  get #reader(): PlugReader {
    const { identity, firmware, product, state, parameters } = this.#options;
    return {
      ownSerialNumber: state.content.plugUnread === true ? undefined : identity.serialNumber,
      adoptedDigest: state.content.plugTaken,
      deviceIdentification: identity.name,
      firmware,
      product,
      assertAllowed: (values) => parameters.assertAllowed(values),
    };
  }

  /** The file for the plug. */
  #stored(): Buffer {
    const { parameters, identity, firmware, product } = this.#options;
    return encodeBackup(backupOf(parameters.storedSet, identity, product, firmware.versionText));
  }

  #hasStored(content: PlugContent): boolean {
    return content.kind === 'own' && this.#stored().equals(content.file);
  }

  /** Logs a problem, unless it equals the last one. */
  #report(message: string, problem: string, fields: Readonly<Record<string, unknown>>): void {
    if (limitText(problem) !== this.#status.Fault)
      this.#options.log.warn(message, { reason: limitText(problem), ...fields });
  }

  #setStatus(next: PlugStatus): void {
    const { conditions, announcements } = this.#options;
    this.#status = next;
    conditions.set('DS_ServiceRecommended', condition, next.Fault !== '');
    announcements.changed([status]);
  }
}

function statusWith(state: keyof typeof PlugState, serialNumber = '', problem = ''): PlugStatus {
  return { State: PlugState[state], SerialNumber: serialNumber, Fault: limitText(problem) };
}

/** Replaces control characters, and limits the length: names in a file may contain anything. */
function limitText(problem: string): string {
  return [...problem.replaceAll(/\p{C}/gu, '?')].slice(0, mostCharacters).join('');
}

/** Time limit (ms) of a save or a boot for a plug that does not respond. */
export const plugTimeLimit = 5000;

/** Accesses to system plugs. Each ends in time, even if a plug never responds. */
class PlugAccess {
  readonly #clock: Clock;
  readonly #respondsLate: () => void;
  readonly #silent = new WeakSet<SystemPlug>();

  /** @param respondsLate called when a plug responds after the time limit */
  constructor(clock: Clock, respondsLate: () => void) {
    this.#clock = clock;
    this.#respondsLate = respondsLate;
  }

  /**
   * Uses a plug.
   * @throws PlugFailure if it does not respond in time. Also at once, while an earlier response is missing. Otherwise
   * the errors of `use`
   */
  async for<T>(plug: SystemPlug, use: () => Promise<T>): Promise<T> {
    if (this.#silent.has(plug)) throw new PlugFailure('the plug still does not answer');
    // A plug in plain JavaScript may return anything.
    const response = Promise.resolve(use());
    const responded = () => {
      if (this.#silent.delete(plug)) this.#respondsLate();
    };
    response.then(responded, responded);
    const late = () => {
      this.#silent.add(plug);
      throw new PlugFailure(`the plug has not answered for ${plugTimeLimit / 1000} s`);
    };
    return inTime(plugTimeLimit, response, late, (time, act) => this.#clock.after(time, act));
  }
}
