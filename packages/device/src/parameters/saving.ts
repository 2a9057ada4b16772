import { allParameters, operatingData, type Variable } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { Mutex } from '../storage/mutex.js';
import { Tally } from '../tally.js';
import type { Parameters, ValueSet } from './parameters.js';
import type { StoredContent, StoredState } from './stored-state.js';

const { LastParaDate, LastParaTime } = operatingData.members;

interface Options {
  readonly parameters: Parameters;
  readonly state: StoredState;
  /** Date and time of the device clock, as LastParaDate and LastParaTime tell them. */
  readonly time: { stamp(): { readonly date: string; readonly time: string } };
  readonly announcements: Announcements;
  readonly conditions: Conditions;
  readonly factorySwitches: () => Pick<StoredContent, 'userLevels' | 'legacyUserLevels' | 'webserverEnabled'>;
}

/** Why the device status tells of a recoverable fault until parameters are stored anew. */
export const unreadableParameters = 'unreadable stored parameters';

/**
 * Moves parameters between their layers and the disk. Nothing counts as stored before it is on disk; every save sets
 * date and time of the last one.
 */
export class Saving {
  readonly #options: Options;
  /** How often parameters were put on disk, and how often that failed. */
  readonly saves = new Tally<'stored' | 'failed'>();
  readonly #mutex = new Mutex();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Stores the working values as they are now. */
  async storeWorking(): Promise<void> {
    const { parameters } = this.#options;
    await this.#alone(() => this.#save(parameters.layer('working'), (foreign) => foreign));
  }

  /** Every parameter and switch at factory state, working and stored at once, without a reboot. */
  async loadFactoryDefaults(): Promise<void> {
    const { parameters, factorySwitches } = this.#options;
    await this.#alone(async () => {
      await this.#save(parameters.layer('factory'), () => ({}), factorySwitches());
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
   * @throws Fault of what refuses the change, or 3 where it cannot be stored; then nothing has changed.
   */
  async restore(values: ValueSet): Promise<void> {
    const { parameters } = this.#options;
    await this.#alone(async () => {
      parameters.assertAllowed(values);
      await this.#save({ ...parameters.layer('stored'), ...values }, (foreign) => foreign);
      parameters.takeStored(({ name }) => Object.hasOwn(values, name));
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
    });
  }

  /**
   * Puts values on disk. `keep` says what becomes of those that another release or variant has stored: an equipment
   * that is taken off and put on again finds its parameters as they were.
   */
  async #save(
    values: ValueSet,
    keep: (foreign: ValueSet) => ValueSet,
    switches: Partial<StoredContent> = {},
  ): Promise<void> {
    const { parameters, state, time, announcements, conditions } = this.#options;
    await state.update((content) => ({
      ...content,
      ...switches,
      saved: time.stamp(),
      parameters: { ...keep(parameters.foreignIn(content.parameters)), ...values },
    }));
    parameters.markStored(values);
    conditions.setLost(unreadableParameters, false);
    announcements.changed([LastParaDate, LastParaTime]);
  }
}

function withoutApplication(foreign: ValueSet): ValueSet {
  const reset = new Set(
    allParameters.filter(({ section }) => section === 'application').map(({ name }) => name),
  );
  return Object.fromEntries(Object.entries(foreign).filter(([name]) => !reset.has(name)));
}
