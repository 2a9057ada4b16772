import { IOState, OutputMode, OutputRestart, PortLogic, SourceCombination } from '@azimuth/model';
import { Debounced } from './debounced.js';
import type { PortSettings } from './input.js';
import { type Reading, readingOf, type SourceSignals, switchCode } from './output-source.js';

type OutputSettings = PortSettings['OutputSettings'];
type Level = (typeof IOState)[keyof typeof IOState];

/** A port as an output: it follows its sources at once, and is let go as its restart says. */
export class Output {
  /** Has SetOutput switched it on? */
  switched = false;
  readonly #port: number;
  readonly #active = new Debounced();
  #settings: OutputSettings;
  #sources: readonly Reading[];

  /** @param port 1 to 8 */
  constructor(port: number, settings: OutputSettings) {
    this.#port = port;
    this.#settings = settings;
    this.#sources = sourcesOf(settings);
  }

  /** What SetOutput has switched on goes off when the output cannot be switched by it any more. */
  configure(settings: OutputSettings): void {
    this.#settings = settings;
    this.#sources = sourcesOf(settings);
    if (!this.isSwitchable) this.switched = false;
  }

  get active(): boolean {
    return this.#active.counted;
  }

  /** Does it follow SetOutput? */
  get isSwitchable(): boolean {
    const code = switchCode(this.#port);
    return this.#settings.Sources.some(({ Name }) => Name === code);
  }

  /** What a wire at the port sees. */
  get level(): Level {
    const { Logic, OutputMode: mode } = this.#settings;
    const driven = this.active === (Logic === PortLogic.ACTIVE_HIGH);
    switch (mode) {
      case OutputMode.PNP:
        return driven ? IOState.IOS_HIGH : IOState.IOS_TRISTATE;
      case OutputMode.NPN:
        return driven ? IOState.IOS_LOW : IOState.IOS_TRISTATE;
      default:
        return driven ? IOState.IOS_HIGH : IOState.IOS_LOW;
    }
  }

  /**
   * Follows its sources.
   * @param restarts has this input become active just now?
   * @returns ms until it becomes inactive; Infinity where there is nothing to wait for
   */
  follow(signals: SourceSignals, restarts: (port: number) => boolean, now: number): number {
    const wanted = this.#combine(this.#sources.map((isActive) => isActive(signals)));
    return this.#active.follow(wanted, now, wanted ? 0 : this.#releaseDelay(restarts));
  }

  #combine(sources: readonly boolean[]): boolean {
    const active = sources.filter((isActive) => isActive).length;
    switch (this.#settings.Combination) {
      case SourceCombination.AND:
        return active > 0 && active === sources.length;
      case SourceCombination.OR:
        return active > 0;
      default:
        return active % 2 === 1;
    }
  }

  /** ms for which the sources have to be inactive before the output is. */
  #releaseDelay(restarts: (port: number) => boolean): number {
    const { RestartType, RestartTime, RestartInput } = this.#settings;
    switch (RestartType) {
      case OutputRestart.RESTART_IMMEDATE:
        return 0;
      case OutputRestart.RESTART_TIME:
        return RestartTime;
      default:
        return restarts(RestartInput) ? 0 : Number.POSITIVE_INFINITY;
    }
  }
}

/**
 * Its sources, each turned round where it is to be. Four blanks are none, nor is a code that nothing has, which can come
 * out of the storage only.
 */
function sourcesOf({ Sources }: OutputSettings): readonly Reading[] {
  const readings: Reading[] = [];
  for (const { Name, Invert } of Sources) {
    const reading = readingOf(Name);
    if (reading !== undefined) readings.push(Invert ? (signals) => !reading(signals) : reading);
  }
  return readings;
}
