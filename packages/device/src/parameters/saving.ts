import { setImmediate as arrivals } from 'node:timers/promises';
import { Mutex } from '@azimuth/async';
import { allParameters, operatingData, type Release, type Variable } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { Tally } from '../tally.js';
import type { Parameters, ValueSet } from './parameters.js';
import { factorySwitches, type StoredContent, type StoredState } from './stored-state.js';

const { LastParaDate, LastParaTime } = operatingData.members;

interface Options {
  readonly parameters: Parameters;
  readonly state: StoredState;
  /** Date and time of the device clock, in the format of LastParaDate and LastParaTime. */
  readonly time: { stamp(): { readonly date: string; readonly time: string } };
  readonly announcements: Announcements;
  readonly conditions: Conditions;
  readonly firmware: { readonly release: Release };
}

/** The reasons for DeviceStatus 7 until parameters are saved again. */
export const unreadableParameters = 'unreadable stored parameters';
export const damagedStorage = 'damaged storage';

/**
 * Moves parameters between their layers and the disk. Nothing counts as stored before it is on disk; every save sets
 * date and time of the last one.
 */
export class Saving {
  readonly #options: Options;
  /** How often parameters were put on disk, and how often that failed. */
  readonly saves = new Tally(['stored', 'failed']);
  readonly #mutex = new Mutex();
  /** The save of the working values that has not begun. */
  #nextSave: Promise<void> | undefined;
  /** How many wait for it. */
  #sharing = 0;
  /** How many have shared the last one. */
  #lastShared = 0;
  #afterwards: () => Promise<void> = async () => undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** After each save, calls `act`, which must resolve. The save is answered, and the next one begins, after that. */
  onSaved(act: () => Promise<void>): void {
    this.#afterwards = act;
  }

  /**
   * Stores the working values as they are now or, while another save is under way, as they are when it has ended. All who
   * wait for that share one write to the disk.
   */
  storeWorking(): Promise<void> {
    this.#sharing++;
    this.#nextSave ??= this.#alone(async () => {
      // Those who shared the last save come back together: the requests that have arrived take part in this one.
      if (this.#lastShared > 1) await arrivals();
      this.#lastShared = this.#sharing;
      this.#sharing = 0;
      this.#nextSave = undefined;
      await this.#save(this.#options.parameters.layer('working'), (foreign) => foreign);
    });
    return this.#nextSave;
  }

  /** Every parameter and switch at factory state, working and stored at once, without a reboot. */
  async loadFactoryDefaults(): Promise<void> {
    const { parameters, firmware } = this.#options;
    await this.#alone(async () => {
      await this.#save(parameters.layer('factory'), () => ({}), factorySwitches(firmware.release));
      parameters.resetWorking(() => true);
    });
  }

  /** The same for the section `application`; all else stays, working and stored. */
  async loadApplicationDefaults(): Promise<void> {
    const { parameters } = this.#options;
    const ofApplication = (variable: Variable<unknown>) => variable.section === 'application';
    await this.#alone(async () => {
      await this.#save(parameters.withFactory(ofApplication), withoutApplication);
      parameters.resetWorking(ofApplication);
    });
  }

  /**
   * Takes over checked values, working and stored at once, without a reboot; all else stays, working and stored. Among
   * them may be parameters of another release or variant: they are kept.
   * @param beside what else is stored with them, at the same moment
   * @throws Refusal of what refuses the change, or 3 where it cannot be stored; then nothing has changed.
   */
  async restore(values: ValueSet, beside: Partial<StoredContent> = {}): Promise<void> {
    const { parameters } = this.#options;
    await this.#alone(async () => {
      parameters.assertAllowed(values);
      await this.#save({ ...parameters.layer('stored'), ...values }, (foreign) => foreign, beside);
      parameters.setStored(({ name }) => Object.hasOwn(values, name));
    });
  }

  /** One save after the other: each finds working and stored values as the one before has left them. */
  #alone(save: () => Promise<void>): Promise<void> {
    return this.#mutex.run(async () => {
      try {
        await save();
      } catch (error) {
        this.saves.add('failed');
        throw error;
      }
      this.saves.add('stored');
      await this.#afterwards();
    });
  }

  /**
   * Puts values on disk. `keep` says what becomes of those that another release or variant has stored: an equipment
   * that is taken off and put on again finds its parameters as they were.
   */
  async #save(
    values: ValueSet,
    keep: (foreign: ValueSet) => ValueSet,
    beside: Partial<StoredContent> = {},
  ): Promise<void> {
    const { parameters, state, time, announcements, conditions } = this.#options;
    await state.update(({ neverSaved: _, ...content }) => ({
      ...content,
      ...beside,
      saved: time.stamp(),
      parameters: { ...keep(parameters.foreignIn(content.parameters)), ...values },
    }));
    parameters.markStored(values);
    conditions.setLost(unreadableParameters, false);
    conditions.setLost(damagedStorage, false);
    announcements.changed([LastParaDate, LastParaTime]);
  }
}

function withoutApplication(foreign: ValueSet): ValueSet {
  const reset = new Set(
    allParameters.filter(({ section }) => section === 'application').map(({ name }) => name),
  );
  return Object.fromEntries(Object.entries(foreign).filter(([name]) => !reset.has(name)));
}
