import { EncoderPort, PortType, PortState as State } from '@azimuth/model';
import { Input, isActive, type PortSettings } from './input.js';
import { Output } from './output.js';

type PortState = (typeof State)[keyof typeof State];

/** One port: what it is, and the level that it is driven to from outside, which no configuration changes. */
export class Port {
  /** 1 to 8 */
  readonly number: number;
  /** How often it has become active, as what it is now; wraps after 32 bits. */
  counter = 0;
  #settings: PortSettings;
  #driven = false;
  #input: Input | undefined;
  #output: Output | undefined;

  constructor(number: number, settings: PortSettings) {
    this.number = number;
    this.#settings = settings;
    this.boot(settings);
  }

  get settings(): PortSettings {
    return this.#settings;
  }

  /** There is one if it is an input. */
  get input(): Input | undefined {
    return this.#input;
  }

  /** There is one if it is an output. */
  get output(): Output | undefined {
    return this.#output;
  }

  /** Is it driven high from outside? */
  get driven(): boolean {
    return this.#driven;
  }

  get state(): PortState {
    if (this.#input !== undefined) {
      return this.#input.active ? State.INPUT_ACTIVE : State.INPUT_NOT_ACTIVE;
    }
    if (this.#output === undefined) return State.TRISTATE;
    return this.#output.active ? State.OUTPUT_ACTIVE : State.OUTPUT_NOT_ACTIVE;
  }

  get active(): boolean {
    return this.#input?.active ?? this.#output?.active ?? false;
  }

  /** Begins anew, with the level that is there. */
  boot(settings: PortSettings): void {
    this.#settings = settings;
    this.counter = 0;
    const { PortType: type, InputSettings, OutputSettings } = settings;
    this.#input = type === PortType.INPUT ? new Input(InputSettings, this.#driven) : undefined;
    this.#output = type === PortType.OUTPUT ? new Output(this.number, OutputSettings) : undefined;
  }

  /** Takes other settings over; a port of another type begins anew. */
  configure(settings: PortSettings): void {
    if (settings.PortType !== this.#settings.PortType) {
      this.boot(settings);
      return;
    }
    this.#settings = settings;
    this.#input?.configure(settings.InputSettings);
    this.#output?.configure(settings.OutputSettings);
  }

  /**
   * Drives it to a level.
   * @returns the reference signal of an encoder that begins with that
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
 * The reference signal of an encoder that begins when an encoder port gets another level; undefined where none does.
 * Encoder signals are not debounced.
 */
export function referenceSignal(
  { EncoderPortType, InputSettings }: PortSettings,
  high: boolean,
): 1 | 2 | undefined {
  if (!isActive(InputSettings, high)) return undefined;
  if (EncoderPortType === EncoderPort.AUX1) return 1;
  return EncoderPortType === EncoderPort.AUX2 ? 2 : undefined;
}
