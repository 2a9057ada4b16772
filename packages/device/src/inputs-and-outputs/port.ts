import {
  EncoderPort,
  InputSensitivity,
  OutputMode,
  OutputRestart,
  PortLogic,
  PortType,
  SourceCombination,
  PortState as State,
  type ValueOf,
} from '@azimuth/model';
import type { Clock } from '../interfaces/environment.js';
import type { PinLevel } from '../interfaces/hardware/index.js';
import { readerOf, type SourceReader, type SourceSignals, switchCode } from './output-sources.js';

type PortSettings = ValueOf<'PortConfiguration'>[number];
type InputSettings = PortSettings['InputSettings'];

/**
 * A port as an input. A level counts after it has lasted for Debounce. With LEVEL the input is active while its level
 * is active. With EDGE only an edge activates it, so an earlier level does not count.
 */
class Input {
  readonly #level: Debounced;
  #settings: InputSettings;
  #active: boolean;

  /** @param high the present level, which counts at once */
  constructor(settings: InputSettings, high: boolean) {
    this.#settings = settings;
    this.#level = new Debounced(high);
    this.#active = this.#initialState();
  }

  /** The debounced level. */
  get high(): boolean {
    return this.#level.value;
  }

  get active(): boolean {
    return this.#active;
  }

  remember(clock: Pick<Clock, 'monotonic'>): () => void {
    const [settings, active] = [this.#settings, this.#active];
    const putBackLevel = this.#level.remember(clock);
    return () => {
      this.#settings = settings;
      this.#active = active;
      putBackLevel();
    };
  }

  /** Changes the settings. With another logic or sensitivity the input starts again with the present level. */
  configure(settings: InputSettings): void {
    const { Logic, Sensitivity } = this.#settings;
    this.#settings = settings;
    if (settings.Logic !== Logic || settings.Sensitivity !== Sensitivity) this.#active = this.#initialState();
  }

  /** @returns ms until the level counts; Infinity if no change is pending */
  follow(high: boolean, now: number): number {
    const before = this.high;
    const wait = this.#level.follow(high, now, this.#settings.Debounce);
    if (this.high !== before) this.#active = isActive(this.#settings, this.high);
    return wait;
  }

  #initialState(): boolean {
    return this.#settings.Sensitivity === InputSensitivity.LEVEL && isActive(this.#settings, this.high);
  }
}

/** True if a level is the active one. */
function isActive({ Logic }: InputSettings, high: boolean): boolean {
  return high === (Logic === PortLogic.ACTIVE_HIGH);
}

type OutputSettings = PortSettings['OutputSettings'];

/** A port as an output. It becomes active with its sources at once. RestartType decides when it becomes inactive. */
class Output {
  /** True if SetOutput has switched it on. */
  switched = false;
  readonly #port: number;
  readonly #active = new Debounced();
  #settings: OutputSettings;
  #sources: readonly SourceReader[];

  /** @param port 1 to 8 */
  constructor(port: number, settings: OutputSettings) {
    this.#port = port;
    this.#settings = settings;
    this.#sources = sourcesOf(settings);
  }

  remember(clock: Pick<Clock, 'monotonic'>): () => void {
    const { switched } = this;
    const settings = this.#settings;
    const putBackActive = this.#active.remember(clock);
    return () => {
      this.#settings = settings;
      this.#sources = sourcesOf(settings);
      this.switched = switched;
      putBackActive();
    };
  }

  /** Changes the settings. If SetOutput no longer controls the output, its switch is reset. */
  configure(settings: OutputSettings): void {
    this.#settings = settings;
    this.#sources = sourcesOf(settings);
    if (!this.isSwitchable) this.switched = false;
  }

  get active(): boolean {
    return this.#active.value;
  }

  /** True if its signal is high. An open output is not high. */
  get high(): boolean {
    return this.pinLevel === 'high';
  }

  /** What drives its pin: a PNP output drives it high or not at all, an NPN output low or not at all. */
  get pinLevel(): PinLevel {
    const { Logic, OutputMode: mode } = this.#settings;
    const high = this.active === (Logic === PortLogic.ACTIVE_HIGH);
    if (high) return mode === OutputMode.NPN ? 'open' : 'high';
    return mode === OutputMode.PNP ? 'open' : 'low';
  }

  /** True if SetOutput switches it. */
  get isSwitchable(): boolean {
    const code = switchCode(this.#port);
    return this.#settings.Sources.some(({ Name }) => Name === code);
  }

  /**
   * Updates the output from its sources.
   * @param restarts true: this input has just become active
   * @returns ms until it becomes inactive; Infinity if no change is pending
   */
  follow(signals: SourceSignals, restarts: (port: number) => boolean, now: number): number {
    const active = this.#combine(this.#sources.map((isActive) => isActive(signals)));
    return this.#active.follow(active, now, active ? 0 : this.#releaseDelay(restarts));
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

  /** Time in ms for which the sources have to be inactive before the output is. */
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
 * The sources of an output, inverted where configured. Four blanks mean none. Unknown codes are ignored: only a stored
 * configuration can have them.
 */
function sourcesOf({ Sources }: OutputSettings): readonly SourceReader[] {
  const readings: SourceReader[] = [];
  for (const { Name, Invert } of Sources) {
    const reading = readerOf(Name);
    if (reading !== undefined) readings.push(Invert ? (signals) => !reading(signals) : reading);
  }
  return readings;
}

type PortState = (typeof State)[keyof typeof State];

/** A port as input, output or encoder input, and its external level, which the configuration does not change. */
export class Port {
  /** 1 to 8 */
  readonly number: number;
  /**
   * True if the plug of the scanner has this port. A missing port is neither input nor output, regardless of its
   * configuration.
   */
  readonly exists: boolean;
  /** Number of activations since it has its present type; 32 bits, wraps. */
  counter = 0;
  #settings: PortSettings;
  #driven = false;
  /** Its present role. Undefined for an encoder input and for a missing port. */
  #role: Input | Output | undefined;

  constructor(number: number, settings: PortSettings, exists: boolean) {
    this.number = number;
    this.exists = exists;
    this.#settings = settings;
    this.boot(settings);
  }

  get settings(): PortSettings {
    return this.#settings;
  }

  /** The input. Undefined if the port has another type. */
  get input(): Input | undefined {
    return this.#role instanceof Input ? this.#role : undefined;
  }

  /** The output. Undefined if the port has another type. */
  get output(): Output | undefined {
    return this.#role instanceof Output ? this.#role : undefined;
  }

  /** True if the external level is high. */
  get driven(): boolean {
    return this.#driven;
  }

  get state(): PortState {
    const role = this.#role;
    if (role === undefined) return State.TRISTATE;
    if (role instanceof Input) return role.active ? State.INPUT_ACTIVE : State.INPUT_NOT_ACTIVE;
    return role.active ? State.OUTPUT_ACTIVE : State.OUTPUT_NOT_ACTIVE;
  }

  get active(): boolean {
    return this.#role?.active ?? false;
  }

  /** Remembers its role with its state, and its counter. */
  remember(clock: Pick<Clock, 'monotonic'>): () => void {
    const { counter } = this;
    const [settings, driven, role] = [this.#settings, this.#driven, this.#role];
    const putBackRole = role?.remember(clock);
    return () => {
      this.counter = counter;
      this.#settings = settings;
      this.#driven = driven;
      this.#role = role;
      putBackRole?.();
    };
  }

  /** Restarts with the present level. */
  boot(settings: PortSettings): void {
    this.#settings = settings;
    this.counter = 0;
    if (!this.exists) return;
    this.#role = this.#roleIn(settings);
  }

  #roleIn({ PortType: type, InputSettings, OutputSettings }: PortSettings): Input | Output | undefined {
    if (type === PortType.INPUT) return new Input(InputSettings, this.#driven);
    return type === PortType.OUTPUT ? new Output(this.number, OutputSettings) : undefined;
  }

  /** Changes the settings. With another type the port restarts. */
  configure(settings: PortSettings): void {
    if (settings.PortType !== this.#settings.PortType) {
      this.boot(settings);
      return;
    }
    this.#settings = settings;
    this.input?.configure(settings.InputSettings);
    this.output?.configure(settings.OutputSettings);
  }

  /**
   * Sets the external level.
   * @returns the encoder reference signal that begins with it; undefined without one
   */
  drive(high: boolean): 1 | 2 | undefined {
    if (high === this.#driven) return undefined;
    this.#driven = high;
    return this.#settings.PortType === PortType.ENCODER ? referenceSignal(this.#settings, high) : undefined;
  }

  count(): void {
    this.counter = (this.counter + 1) % 2 ** 32;
  }
}

/**
 * The encoder reference signal that begins when an encoder port changes its level. Undefined if there is none. Encoder
 * signals are not debounced.
 */
function referenceSignal({ EncoderPortType, InputSettings }: PortSettings, high: boolean): 1 | 2 | undefined {
  if (!isActive(InputSettings, high)) return undefined;
  if (EncoderPortType === EncoderPort.AUX1) return 1;
  return EncoderPortType === EncoderPort.AUX2 ? 2 : undefined;
}

/** Tolerance of half a microsecond, in ms, so that the rounding of the clock starts no timer. */
const tolerance = 0.0005;

/** A boolean that counts only after it has lasted for some time. Times are ms of the monotonic clock. */
export class Debounced {
  #value: boolean;
  /** Time since when the raw value differs. */
  #since: number | undefined;

  constructor(value = false) {
    this.#value = value;
  }

  get value(): boolean {
    return this.#value;
  }

  /** Remembers the value and since when another one is pending. @param clock of the times that `follow` gets */
  remember(clock: Pick<Clock, 'monotonic'>): () => void {
    const taken = clock.monotonic();
    const [value, since] = [this.#value, this.#since];
    return () => {
      this.#value = value;
      this.#since = since === undefined ? undefined : since + clock.monotonic() - taken;
    };
  }

  /**
   * Updates the raw value. Call it at each change of the raw value, and when the returned time has passed.
   * @param delay ms that a new raw value has to last; Infinity: it never counts
   * @returns ms until the new value counts; Infinity if no change is pending
   */
  follow(raw: boolean, now: number, delay: number): number {
    if (raw === this.#value) {
      this.#since = undefined;
      return Number.POSITIVE_INFINITY;
    }
    this.#since ??= now;
    const wait = this.#since + delay - now;
    if (wait > tolerance) return wait;
    this.#value = raw;
    this.#since = undefined;
    return Number.POSITIVE_INFINITY;
  }
}
