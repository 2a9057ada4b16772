import { isDeepStrictEqual } from 'node:util';
import {
  ContaminationStrategy,
  contaminationIndication,
  SectorContamination,
  sectorCount,
  type ValueOf,
  type Variable,
} from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { computed, type Feature } from '../feature.js';
import type { Clock } from '../interfaces/clock.js';
import type { Conditions } from '../lifecycle/conditions.js';
import type { Parameters } from '../parameters/parameters.js';
import {
  type ContaminationState,
  contaminationOf,
  Dirt,
  dirtOf,
  type ResponseTimes,
  Sector,
  watchedSectors,
} from './sectors.js';

const {
  ContaminationConfig,
  ContaminationData,
  ContaminationResult,
  ContaminationActiveSectors,
  treatBlockedSectorsAsErrorSectors,
} = contaminationIndication.members;

/** The variables whose change has an effect here. */
const followed: readonly Variable<unknown>[] = [ContaminationConfig, treatBlockedSectorsAsErrorSectors];

type Config = ValueOf<'ContaminationConfig'>;
type Data = ValueOf<'ContaminationData'>;

const reason = 'contamination';

export interface ContaminationOptions {
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly conditions: Conditions;
  readonly clock: Clock;
  /** The share of light, 0 to 1, that the dirt on each of the twelve sectors of the front screen absorbs. */
  readonly levels: () => readonly number[];
}

/**
 * The indication of contamination of the front screen. It is a status, and changes no scan. Without a change nothing is
 * computed, and no timer runs.
 */
export class Contamination implements Feature {
  readonly computed = [
    computed(ContaminationData, () => this.data),
    computed(ContaminationResult, () => this.result),
    computed(ContaminationActiveSectors, () => this.activeSectors, [ContaminationConfig]),
  ];
  readonly #options: ContaminationOptions;
  /** By sector. */
  #levels: readonly number[] = [];
  #sectors: readonly (Sector | undefined)[] = [];
  #data: Data = Array.from({ length: sectorCount }, () => SectorContamination.CM_DATA_NONE);
  #result: ValueOf<'ContaminationResult'> = { bWarningActive: false, bErrorActive: false };
  #up = false;
  #cancel: (() => void) | undefined;

  constructor(options: ContaminationOptions) {
    this.#options = options;
    options.announcements.subscribeTo(followed, () => this.#settle());
  }

  /** The state of each sector; CM_DATA_NONE if it is not watched, or if it is blocked and ignored. */
  get data(): Data {
    return this.#data;
  }

  /** Warning and error, if they are enabled. */
  get result(): ValueOf<'ContaminationResult'> {
    return this.#result;
  }

  /** Which sectors are watched; none while the strategy is INACTIVE. */
  get activeSectors(): ValueOf<'ContaminationActiveSectors'> {
    const config = this.#config;
    const off = config.eStrategy === ContaminationStrategy.CM_STRATEGY_INACTIVE;
    return watchedSectors(config).map((watched) => watched && !off);
  }

  /** Call it when `levels` has changed. */
  levelsChanged(): void {
    // A state that has lasted long enough until now counts, even if its timer is late.
    this.#settle();
    this.#readLevels();
    this.#settle();
  }

  /** A boot: every sector counts as clean until it has been dirty for long enough. */
  boot(): void {
    this.#up = true;
    this.#sectors = [];
    this.#readLevels();
    this.#settle();
  }

  /** The scanner goes down, for a reboot or for good. */
  down(): void {
    this.#up = false;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Shares outside 0 to 1 are limited, and missing ones count as 0. */
  #readLevels(): void {
    const levels = this.#options.levels();
    this.#levels = Array.from({ length: sectorCount }, (_, sector) =>
      Math.min(Math.max(levels[sector] ?? 0, 0), 1),
    );
  }

  get #config(): Config {
    return this.#read(ContaminationConfig);
  }

  /** A variable that the variant `core` lacks has its default, with which the indication is inactive. */
  #read<T>(variable: Variable<T>): T {
    const { parameters } = this.#options;
    return parameters.has(variable) ? parameters.read(variable) : variable.type.initial;
  }

  #settle(): void {
    if (!this.#up) return;
    const config = this.#config;
    const watched = this.activeSectors;
    this.#sectors = watched.map((isWatched, index) =>
      isWatched ? (this.#sectors[index] ?? new Sector()) : undefined,
    );
    this.#follow(config);
    const data = this.#sectors.map((sector) => this.#dataOf(sector));
    const state = contaminationOf(data, config.eStrategy, watched.filter((isWatched) => isWatched).length);
    // Blocked sectors may be ignored. If all watched sectors are blocked, there is a warning nevertheless.
    const blind =
      watched.includes(true) &&
      this.#sectors.every((sector) => (sector?.dirt ?? Dirt.blocked) === Dirt.blocked);
    this.#report(data, {
      warning: (state.warning || blind) && config.bEnableWarning,
      error: state.error && config.bEnableError,
    });
  }

  #follow(config: Config): void {
    const { clock } = this.#options;
    const now = clock.monotonic();
    const responseTimes = responseTimesOf(config);
    let next = Number.POSITIVE_INFINITY;
    for (const [index, sector] of this.#sectors.entries()) {
      const dirt = dirtOf(this.#levels[index] ?? 0, config.eThreshold);
      next = Math.min(next, sector?.follow(dirt, now, responseTimes) ?? next);
    }
    this.#cancel?.();
    this.#cancel = next === Number.POSITIVE_INFINITY ? undefined : clock.after(next, () => this.#settle());
  }

  #dataOf(sector: Sector | undefined): Data[number] {
    switch (sector?.dirt) {
      case undefined:
        return SectorContamination.CM_DATA_NONE;
      case Dirt.clean:
        return SectorContamination.CM_DATA_CLEAN;
      case Dirt.warning:
        return SectorContamination.CM_DATA_WARN;
      case Dirt.error:
        return SectorContamination.CM_DATA_ERROR;
      default:
        return this.#read(treatBlockedSectorsAsErrorSectors)
          ? SectorContamination.CM_DATA_ERROR
          : SectorContamination.CM_DATA_NONE;
    }
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
    // In this order DeviceStatus has no wrong intermediate state.
    for (const set of error ? [require, recommend] : [recommend, require]) set();
    announcements.changed(changed);
  }
}

/**
 * Dirt has to last for the response time. With SENSITIVE the same applies to its end; with HIGH_AVAILABLE its end counts at
 * once.
 */
function responseTimesOf({ eStrategy, usiResponseTime }: Config): ResponseTimes {
  const worse = usiResponseTime * 1000;
  return { worse, better: eStrategy === ContaminationStrategy.CM_STRATEGY_SENSITIVE ? worse : 0 };
}
