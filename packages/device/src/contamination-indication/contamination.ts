import { isDeepStrictEqual } from 'node:util';
import {
  basicSettings,
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
import { type Scan, weakestEcho } from '../scan/scan.js';
import { FrontScreen } from './front-screen.js';
import { Dirt, dirtOf, type Patience, Sector, type Verdict, verdictOf } from './sector.js';
import { watchedSectors } from './sectors.js';

const { SensitivityMode } = basicSettings.members;
const {
  ContaminationConfig,
  ContaminationData,
  ContaminationResult,
  ContaminationActiveSectors,
  treatBlockedSectorsAsErrorSectors,
} = contaminationIndication.members;

/** What a change of these has an effect on here. */
const followed: readonly Variable<unknown>[] = [
  ContaminationConfig,
  treatBlockedSectorsAsErrorSectors,
  SensitivityMode,
];

type Config = ValueOf<'ContaminationConfig'>;
type Data = ValueOf<'ContaminationData'>;

const reason = 'contamination';

export interface ContaminationFacts {
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly conditions: Conditions;
  readonly clock: Clock;
  /** The share of light, 0 to 1, that each of the twelve sectors of the front screen takes away. */
  readonly levels: () => readonly number[];
}

/**
 * The dirt on the front screen: what it does to the light, and what the scanner tells of it. Without a change nothing is
 * computed, and no timer runs.
 */
export class Contamination implements Feature {
  readonly heeds = [treatBlockedSectorsAsErrorSectors];
  readonly computed = [
    computed(ContaminationData, () => this.data),
    computed(ContaminationResult, () => this.result),
    computed(ContaminationActiveSectors, () => this.activeSectors, [ContaminationConfig]),
  ];
  readonly #facts: ContaminationFacts;
  readonly #screen = new FrontScreen();
  #sectors: readonly (Sector | undefined)[] = [];
  #data: Data = Array.from({ length: sectorCount }, () => SectorContamination.CM_DATA_NONE);
  #result: ValueOf<'ContaminationResult'> = { bWarningActive: false, bErrorActive: false };
  /** The weakest RSSI that is an echo. */
  #detectable = 0;
  #up = false;
  #cancel: (() => void) | undefined;

  constructor(facts: ContaminationFacts) {
    this.#facts = facts;
    facts.announcements.subscribeTo(followed, () => this.#settle());
  }

  /** Of each sector; CM_DATA_NONE where it is not watched, or blocked and left out. */
  get data(): Data {
    return this.#data;
  }

  /** Warning and error, as far as they are switched on. */
  get result(): ValueOf<'ContaminationResult'> {
    return this.#result;
  }

  /** Which sectors are watched; none while the strategy is INACTIVE. */
  get activeSectors(): ValueOf<'ContaminationActiveSectors'> {
    const config = this.#config;
    const off = config.eStrategy === ContaminationStrategy.CM_STRATEGY_INACTIVE;
    return watchedSectors(config).map((watched) => watched && !off);
  }

  /** What the front screen does to a scan: see FrontScreen.weaken. */
  apply(scan: Scan): void {
    this.#screen.weaken(scan, this.#detectable);
  }

  /** To be called when `levels` has changed. */
  levelsChanged(): void {
    // A state that has lasted until now is told, however late its timer is.
    this.#settle();
    this.#screen.take(this.#facts.levels());
    this.#settle();
  }

  /** Comes up: every sector is taken for a clean one, until it has been dirty for long enough. */
  boot(): void {
    this.#up = true;
    this.#sectors = [];
    this.#screen.take(this.#facts.levels());
    this.#settle();
  }

  /** Goes down: for a reboot, or for good. */
  down(): void {
    this.#up = false;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  get #config(): Config {
    return this.#read(ContaminationConfig);
  }

  /** The variant `core` has no indication: as if it were inactive. */
  #read<T>(variable: Variable<T>): T {
    const { parameters } = this.#facts;
    return parameters.has(variable) ? parameters.read(variable) : variable.type.initial;
  }

  #settle(): void {
    if (!this.#up) return;
    const config = this.#config;
    const watched = this.activeSectors;
    this.#detectable = weakestEcho[this.#read(SensitivityMode)];
    this.#sectors = watched.map((isWatched, index) =>
      isWatched ? (this.#sectors[index] ?? new Sector()) : undefined,
    );
    this.#follow(config);
    const data = this.#sectors.map((sector) => this.#told(sector));
    const verdict = verdictOf(data, config.eStrategy, watched.filter((isWatched) => isWatched).length);
    // Each blocked sector alone may be left out. Where all of them are, the scanner sees nothing, and says so.
    const blind =
      watched.includes(true) &&
      this.#sectors.every((sector) => (sector?.told ?? Dirt.blocked) === Dirt.blocked);
    this.#tell(data, {
      warning: (verdict.warning || blind) && config.bEnableWarning,
      error: verdict.error && config.bEnableError,
    });
  }

  #follow(config: Config): void {
    const { clock } = this.#facts;
    const now = clock.monotonic();
    const patience = patienceOf(config);
    let next = Number.POSITIVE_INFINITY;
    for (const [index, sector] of this.#sectors.entries()) {
      const dirt = dirtOf(this.#screen.levels[index] ?? 0, config.eThreshold);
      next = Math.min(next, sector?.follow(dirt, now, patience) ?? next);
    }
    this.#cancel?.();
    this.#cancel = next === Number.POSITIVE_INFINITY ? undefined : clock.after(next, () => this.#settle());
  }

  #told(sector: Sector | undefined): Data[number] {
    switch (sector?.told) {
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

  #tell(data: Data, { warning, error }: Verdict): void {
    const { announcements, conditions } = this.#facts;
    const result = { bWarningActive: warning, bErrorActive: error };
    const changed: Variable<unknown>[] = [];
    if (!isDeepStrictEqual(data, this.#data)) changed.push(ContaminationData);
    if (!isDeepStrictEqual(result, this.#result)) changed.push(ContaminationResult);
    this.#data = data;
    this.#result = result;
    const recommend = () => conditions.set('DS_ServiceRecommended', reason, warning);
    const require = () => conditions.set('DS_ServiceRequired', reason, error);
    // So that DeviceStatus passes no state that nobody is in.
    for (const set of error ? [require, recommend] : [recommend, require]) set();
    announcements.changed(changed);
  }
}

/**
 * Dirt has to last for the response time before it is told. HIGH_AVAILABLE tells at once that it is gone; SENSITIVE waits
 * as long for that, too.
 */
function patienceOf({ eStrategy, usiResponseTime }: Config): Patience {
  const worse = usiResponseTime * 1000;
  return { worse, better: eStrategy === ContaminationStrategy.CM_STRATEGY_SENSITIVE ? worse : 0 };
}
