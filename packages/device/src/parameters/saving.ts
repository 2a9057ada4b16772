import { setImmediate as arrivals } from 'node:timers/promises';
import { Mutex } from '@azimuth/async';
import { everyParameterOf, operatingData, type Product, type Release, type Variable } from '@azimuth/model';
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
  readonly product: Product;
}

/** Reasons for DeviceStatus 7 until the next save of parameters. */
export const unreadableParameters = 'unreadable stored parameters';
export const damagedStorage = 'damaged storage';

/**
 * Moves parameters between their layers and the disk. A value counts as stored only when it is on disk. Every save sets
 * date and time of the last one. A save that changes nothing writes nothing.
 */
export class Saving {
  readonly #options: Options;
  /** Number of saves of parameters, and of failed ones. */
  readonly saves = new Tally(['stored', 'failed']);
  readonly #mutex = new Mutex();
  /** Number of saves that run or wait. */
  #underway = 0;
  /** The save of the working values that has not begun yet. */
  #nextSave: Promise<void> | undefined;
  /** Number of callers that wait for it. */
  #sharing = 0;
  /** Number of callers that have shared the last one. */
  #lastShared = 0;
  #afterwards: () => Promise<void> = async () => undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Calls `act` after each save, before the response to the save and before the next one. `act` must resolve. */
  onSaved(act: () => Promise<void>): void {
    this.#afterwards = act;
  }

  /**
   * Stores the present working values. During another save, it waits for its end, and stores the values of that moment.
   * All callers that wait for the same save share one write to the disk.
   */
  storeWorking(): Promise<void> {
    this.#sharing++;
    this.#nextSave ??= this.#alone(async () => {
      // The callers of the last save return at the same time. Their next requests, if they have arrived, share this
      // save.
      if (this.#lastShared > 1) await arrivals();
      this.#lastShared = this.#sharing;
      this.#sharing = 0;
      this.#nextSave = undefined;
      await this.#save(this.#options.parameters.layer('working'), (foreign) => foreign);
    });
    return this.#nextSave;
  }

  /** Sets every parameter and switch to the factory state, working and stored at once, without a reboot. */
  async loadFactoryDefaults(): Promise<void> {
    const { parameters, firmware } = this.#options;
    await this.#alone(async () => {
      await this.#save(parameters.layer('factory'), () => ({}), factorySwitches(firmware.release));
      parameters.resetWorking(() => true);
    });
  }

  /** Resets the section `application` in the same way. Everything else stays, working and stored. */
  async loadApplicationDefaults(): Promise<void> {
    const { parameters, product } = this.#options;
    const ofApplication = (variable: Variable<unknown>) => variable.section === 'application';
    await this.#alone(async () => {
      await this.#save(parameters.withFactory(ofApplication), (foreign) =>
        withoutApplication(foreign, product),
      );
      parameters.resetWorking(ofApplication);
    });
  }

  /**
   * Sets checked values, working and stored at once, without a reboot. Everything else stays, working and stored.
   * Parameters of another release or variant are stored, too.
   * @param beside other content of the document, stored at the same moment
   * @throws Refusal of a rule that refuses the change, or 3 if it cannot be stored; then nothing has changed
   */
  async restore(values: ValueSet, beside: Partial<StoredContent> = {}): Promise<void> {
    const { parameters } = this.#options;
    await this.#alone(async () => {
      parameters.assertAllowed(values);
      await this.#save({ ...parameters.layer('stored'), ...values }, (foreign) => foreign, beside);
      parameters.setStored(({ name }) => Object.hasOwn(values, name));
    });
  }

  /** True while a save runs or waits. */
  get isUnderway(): boolean {
    return this.#underway > 0;
  }

  /** Runs one save after the other: each finds the working and stored values of the one before. */
  async #alone(save: () => Promise<void>): Promise<void> {
    this.#underway++;
    try {
      await this.#mutex.run(() => this.#count(save));
    } finally {
      this.#underway--;
    }
  }

  async #count(save: () => Promise<void>): Promise<void> {
    try {
      await save();
    } catch (error) {
      this.saves.add('failed');
      throw error;
    }
    this.saves.add('stored');
    await this.#afterwards();
  }

  /**
   * Puts values on disk. `keep` decides about values of another release or variant: equipment that is removed and added
   * again finds its parameters unchanged.
   */
  async #save(
    values: ValueSet,
    keep: (foreign: ValueSet) => ValueSet,
    beside: Partial<StoredContent> = {},
  ): Promise<void> {
    const { parameters, state, time, announcements, conditions } = this.#options;
    await state.save(
      ({ neverSaved: _, ...content }) => ({
        ...content,
        ...beside,
        parameters: { ...keep(parameters.foreignIn(content.parameters)), ...values },
      }),
      () => time.stamp(),
    );
    parameters.markStored(values);
    conditions.setLost(unreadableParameters, false);
    conditions.setLost(damagedStorage, false);
    announcements.changed([LastParaDate, LastParaTime]);
  }
}

function withoutApplication(foreign: ValueSet, product: Product): ValueSet {
  const reset = new Set(
    everyParameterOf(product)
      .filter(({ section }) => section === 'application')
      .map(({ name }) => name),
  );
  return Object.fromEntries(Object.entries(foreign).filter(([name]) => !reset.has(name)));
}
