import { isDeepStrictEqual } from 'node:util';
import {
  ContaminationStrategy,
  contaminationIndication,
  SectorContamination,
  sectorCount,
  type ValueOf,
  type Variable,
  watchedSectors,
} from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { Timeout } from '../clock/timeout.js';
import { computed, type Feature } from '../feature.js';
import type { Clock } from '../interfaces/environment.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { isAtRest } from '../measuring/measuring-state.js';
import type { Parameters } from '../parameters/parameters.js';
import {
  type ContaminationState,
  contaminationOf,
  Dirt,
  dirtOf,
  type ResponseTimes,
  Sector,
} from './sectors.js';

const {
  ContaminationConfig,
  ContaminationData,
  ContaminationResult,
  ContaminationActiveSectors,
  treatBlockedSectorsAsErrorSectors,
} = contaminationIndication.members;

/** Variables whose change has an effect here. */
const followed: readonly Variable<unknown>[] = [ContaminationConfig, treatBlockedSectorsAsErrorSectors];

type Config = ValueOf<'ContaminationConfig'>;
type Data = ValueOf<'ContaminationData'>;

const reason = 'contamination';

interface ContaminationOptions {
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly conditions: Conditions;
  readonly clock: Clock;
  /** Share of light, 0 to 1, that the dirt on each sector of the front screen absorbs. */
  readonly levels: () => readonly number[];
}

/**
 * The contamination of the front screen. It is a status, and changes no scan. Without a change it computes nothing and
 * runs no timer. While the scanner does not measure, it sees no dirt: watched sectors read clean.
 */
export class Contamination implements Feature {
  readonly computed = [
    computed(ContaminationData, () => this.data),
    computed(ContaminationResult, () => this.result),
    computed(ContaminationActiveSectors, () => this.activeSectors, [ContaminationConfig]),
  ];
  readonly #options: ContaminationOptions;
  /** One element for each sector. */
  #levels: readonly number[] = [];
  #sectors: readonly (Sector | undefined)[] = [];
  #data: Data = Array.from({ length: sectorCount }, () => SectorContamination.CM_DATA_NONE);
  #result: ValueOf<'ContaminationResult'> = { bWarningActive: false, bErrorActive: false };
  #up = false;
  #isAtRest = false;
  readonly #next: Timeout;

  constructor(options: ContaminationOptions) {
    this.#options = options;
    this.#next = new Timeout(options.clock);
    options.announcements.subscribeTo(followed, () => this.#update());
    options.conditions.onChange(() => {
      if (isAtRest(options.conditions) !== this.#isAtRest) this.#update();
    });
  }

  /** The state of each sector. CM_DATA_NONE if the sector is blocked or not watched. */
  get data(): Data {
    return this.#data;
  }

  /** Warning and error, if they are enabled. */
  get result(): ValueOf<'ContaminationResult'> {
    return this.#result;
  }

  /** The watched sectors. None while the strategy is INACTIVE. */
  get activeSectors(): ValueOf<'ContaminationActiveSectors'> {
    return watchedSectors(this.#config);
  }

  /** Called when `levels` has changed. */
  levelsChanged(): void {
    // A state counts once it has lasted long enough, even if its timer is late.
    this.#update();
    this.#readLevels();
    this.#update();
  }

  remember(): () => void {
    const { clock, announcements } = this.#options;
    const [levels, sectors, data, result] = [this.#levels, this.#sectors, this.#data, this.#result];
    const wasAtRest = this.#isAtRest;
    const grades = sectors.map((sector) => sector?.remember(clock));
    return () => {
      this.#levels = levels;
      this.#sectors = sectors;
      for (const putBack of grades) putBack?.();
      this.#data = data;
      this.#result = result;
      this.#isAtRest = wasAtRest;
      announcements.changed([ContaminationData, ContaminationResult]);
      // Sets the timer again.
      this.#update();
    };
  }

  /** Called at a boot: every sector counts as clean until it has been dirty for long enough. */
  boot(): void {
    this.#up = true;
    this.#sectors = [];
    this.#readLevels();
    this.#update();
  }

  /** Called when the scanner goes down, for a reboot or for good. */
  down(): void {
    this.#up = false;
    this.#next.stop();
  }

  /** Limits shares to 0 to 1. Missing shares count as 0. */
  #readLevels(): void {
    const levels = this.#options.levels();
    this.#levels = Array.from({ length: sectorCount }, (_, sector) =>
      Math.min(Math.max(levels[sector] ?? 0, 0), 1),
    );
  }

  get #config(): Config {
    return this.#options.parameters.read(ContaminationConfig);
  }

  #update(): void {
    if (!this.#up) return;
    const config = this.#config;
    const wasAtRest = this.#isAtRest;
    this.#isAtRest = isAtRest(this.#options.conditions);
    // The time of dirt starts again when the scanner measures again.
    const before = this.#isAtRest || wasAtRest ? [] : this.#sectors;
    this.#sectors = this.activeSectors.map((isWatched, index) =>
      isWatched ? (before[index] ?? new Sector()) : undefined,
    );
    this.#follow(config);
    const grades = this.#sectors.flatMap((sector) => (sector === undefined ? [] : [sector.dirt]));
    const blockedAreErrors = this.#options.parameters.read(treatBlockedSectorsAsErrorSectors);
    const state = contaminationOf(grades, config.eStrategy, blockedAreErrors);
    this.#report(this.#sectors.map(dataOf), {
      warning: state.warning && config.bEnableWarning,
      error: state.error && config.bEnableError,
    });
  }

  #follow(config: Config): void {
    const { clock } = this.#options;
    const now = clock.monotonic();
    const responseTimes = responseTimesOf(config);
    let next = Number.POSITIVE_INFINITY;
    for (const [index, sector] of this.#isAtRest ? [] : this.#sectors.entries()) {
      const dirt = dirtOf(this.#levels[index] ?? 0, config.eThreshold);
      next = Math.min(next, sector?.follow(dirt, now, responseTimes) ?? next);
    }
    this.#next.set(next, () => this.#update());
  }

  #report(data: Data, { warning, error }: ContaminationState): void {
    const { announcements, conditions } = this.#options;
    const result = { bWarningActive: warning, bErrorActive: error };
    const changed: Variable<unknown>[] = [];
    if (!isDeepStrictEqual(data, this.#data)) changed.push(ContaminationData);
    if (!isDeepStrictEqual(result, this.#result)) changed.push(ContaminationResult);
    this.#data = data;
    this.#result = result;
    const recommend = () => conditions.set('DS_ServiceRecommended', reason, warning);
    const require = () => conditions.set('DS_ServiceRequired', reason, error);
    // This order avoids a wrong intermediate DeviceStatus.
    for (const set of error ? [require, recommend] : [recommend, require]) set();
    announcements.changed(changed);
  }
}

/**
 * Dirt has to last for the response time. With SENSITIVE a clean state has to last as long. With HIGH_AVAILABLE it
 * counts at once.
 */
function responseTimesOf({ eStrategy, usiResponseTime }: Config): ResponseTimes {
  const worse = usiResponseTime * 1000;
  return { worse, better: eStrategy === ContaminationStrategy.CM_STRATEGY_SENSITIVE ? worse : 0 };
}

/** The value of ContaminationData for a grade of dirt. */
const dataOfGrade: Readonly<Record<Dirt, Data[number]>> = {
  [Dirt.clean]: SectorContamination.CM_DATA_CLEAN,
  [Dirt.warning]: SectorContamination.CM_DATA_WARN,
  [Dirt.error]: SectorContamination.CM_DATA_ERROR,
  [Dirt.blocked]: SectorContamination.CM_DATA_NONE,
};

function dataOf(sector: Sector | undefined): Data[number] {
  return sector === undefined ? SectorContamination.CM_DATA_NONE : dataOfGrade[sector.dirt];
}
