import {
  contaminationIndication,
  fieldEvaluation,
  inputsAndOutputs,
  PortType,
  portCount,
  status,
  type ValueOf,
  type Variable,
} from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import type { DeviceTime } from '../date-and-system-time/device-time.js';
import { computed, type Feature, method } from '../feature.js';
import type { Clock } from '../interfaces/clock.js';
import type { Uptime } from '../measuring/telegram-time.js';
import type { Parameters } from '../parameters/parameters.js';
import { keepToKnownSources, type OutputSignals, type SourceSignals } from './output-source.js';
import { Port } from './port.js';
import { PortStates } from './port-states.js';

const { PortConfiguration, InputState, OutputState, PortState, SetOutput, mResetOutputCounter } =
  inputsAndOutputs.members;

/** What outputs follow, as far as it is announced. */
const outputsFollow: readonly Variable<unknown>[] = [
  status.members.DeviceStatus,
  status.members.temperatureAlarmStatus,
  fieldEvaluation.members.FieldEvaluationResult,
  contaminationIndication.members.ContaminationResult,
];

export interface PortsFacts {
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly clock: Clock;
  readonly time: DeviceTime;
  readonly uptime: Uptime;
  readonly signals: OutputSignals;
  /** A reference signal of the encoder comes in at an AUX1 or AUX2 port. */
  readonly encoderReference: (signal: 1 | 2) => void;
}

/** A port as somebody sees it who stands outside, at its wire. */
export interface PortView {
  /** 1 to 8 */
  readonly port: number;
  readonly name: string;
  readonly type: keyof typeof PortType;
  /** Is it driven high from outside? */
  readonly driven: boolean;
  /** Is it, as an input or output, active? */
  readonly active: boolean;
}

/** Called when the input of a port, 1 to 8, becomes active or inactive. */
type InputListener = (port: number, active: boolean) => void;

/**
 * The eight ports of PortConfiguration: what each of them is driven to from outside, and what outputs make of their
 * sources. All that one cause changes is told together. Without a change nothing is computed, and no timer runs.
 */
export class Ports implements Feature {
  readonly heeds = [PortConfiguration];
  readonly computed = [
    computed(InputState, () => this.inputState),
    computed(OutputState, () => this.outputState),
    computed(PortState, () => this.portState),
  ];
  readonly methods = [
    method(SetOutput, ({ Output, Value }) => ({ Success: this.setOutput(Output, Value) })),
    method(mResetOutputCounter, () => {
      this.resetOutputCounters();
      return { ErrorCode: 0 };
    }),
  ];
  readonly #facts: PortsFacts;
  readonly #signals: SourceSignals;
  readonly #states: PortStates;
  readonly #ports: readonly Port[];
  readonly #listeners = new Set<InputListener>();
  /** The active inputs that the listeners know of. */
  readonly #heard = new Set<number>();
  #up = false;
  #following = false;
  #again = false;
  #cancel: (() => void) | undefined;

  constructor(facts: PortsFacts) {
    this.#facts = facts;
    this.#states = new PortStates(facts.time, facts.uptime);
    this.#ports = PortConfiguration.type.initial.map((settings, index) => new Port(index + 1, settings));
    const { signals } = facts;
    this.#signals = {
      ready: () => signals.ready(),
      field: (evaluation) => signals.field(evaluation),
      contaminationWarning: () => signals.contaminationWarning(),
      contaminationError: () => signals.contaminationError(),
      temperatureAlarm: () => signals.temperatureAlarm(),
      input: (port) => this.isActive(port),
      switched: (port) => this.#at(port)?.output?.switched ?? false,
    };
    keepToKnownSources(facts.parameters);
    facts.announcements.subscribeTo([PortConfiguration], () => this.#configure());
    facts.announcements.subscribeTo(outputsFollow, () => this.update());
  }

  get inputState(): ValueOf<'InputState'> {
    return this.#states.inputState;
  }

  get outputState(): ValueOf<'OutputState'> {
    return this.#states.outputState;
  }

  get portState(): ValueOf<'PortState'> {
    return this.#states.portState;
  }

  /** The ports with their names, from 1 to 8. While the scanner is down none is active. */
  get views(): readonly PortView[] {
    return this.#ports.map(({ number, settings, driven, active }) => ({
      port: number,
      name: settings.Name,
      type: typeNames[settings.PortType],
      driven,
      active: this.#up && active,
    }));
  }

  /** Is a port an input, and active? */
  isActive(port: number): boolean {
    return this.#at(port)?.input?.active ?? false;
  }

  /**
   * Calls `listener` when an input becomes active or inactive, before the outputs follow. A boot begins with none active.
   * Returns how to stop it.
   */
  onInput(listener: InputListener): () => void {
    // An object of its own: one listener may listen twice.
    const entry: InputListener = (port, active) => listener(port, active);
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  /**
   * Drives a port from outside, from now on. What drives an output does not matter; the level counts once it is an input.
   * @throws RangeError for a port that does not exist
   */
  setLevel(port: number, high: boolean): void {
    const driven = this.#at(port);
    if (driven === undefined) throw new RangeError(`port ${port} is not in 1..${portCount}`);
    // A level that has lasted until now counts, however late its timer is.
    this.#settle();
    const reference = driven.drive(high);
    if (reference !== undefined && this.#up) this.#facts.encoderReference(reference);
    this.#settle();
  }

  /**
   * SetOutput: switches what SCxx tells.
   * @returns false where the port is no output, or does not follow its own SCxx, or where the value is neither 0 nor 1
   */
  setOutput(port: number, value: number): boolean {
    const output = this.#at(port)?.output;
    if (output === undefined || !output.isSwitchable || (value !== 0 && value !== 1)) return false;
    output.switched = value === 1;
    this.#settle();
    return true;
  }

  /** Sets the counters of the outputs back to zero. */
  resetOutputCounters(): void {
    for (const port of this.#ports) if (port.output !== undefined) port.counter = 0;
    this.#tell();
  }

  /** To be called when something may have changed that outputs follow. */
  update(): void {
    this.#settle();
  }

  /** Comes up: with the configuration that is stored, every port anew, counting from zero. */
  boot(): void {
    this.#up = true;
    this.#heard.clear();
    const settings = this.#settings;
    for (const [index, port] of this.#ports.entries()) port.boot(settings[index] ?? port.settings);
    this.#follow();
    this.#states.boot(this.#ports);
    this.#facts.announcements.changed([InputState, OutputState, PortState]);
  }

  /** Goes down: for a reboot, or for good. Levels from outside are kept, and nothing happens until it comes up. */
  down(): void {
    this.#up = false;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  get #settings(): ValueOf<'PortConfiguration'> {
    const { parameters } = this.#facts;
    return parameters.has(PortConfiguration)
      ? parameters.read(PortConfiguration)
      : PortConfiguration.type.initial;
  }

  #at(port: number): Port | undefined {
    return this.#ports[port - 1];
  }

  #configure(): void {
    const settings = this.#settings;
    for (const [index, port] of this.#ports.entries()) port.configure(settings[index] ?? port.settings);
    this.#settle();
  }

  #settle(): void {
    if (!this.#up) return;
    if (this.#following) {
      this.#again = true;
      return;
    }
    this.#follow();
    this.#tell();
  }

  #tell(): void {
    this.#facts.announcements.changed(this.#states.take(this.#ports));
  }

  /** Inputs first, then whoever listens to them, then outputs: so no output follows what is half done. */
  #follow(): void {
    const activated = new Set<number>();
    let next = Number.POSITIVE_INFINITY;
    this.#following = true;
    try {
      do {
        this.#again = false;
        next = this.#followInputs(activated);
      } while (this.#again);
    } finally {
      this.#following = false;
    }
    next = Math.min(next, this.#followOutputs(activated));
    this.#cancel?.();
    this.#cancel =
      next === Number.POSITIVE_INFINITY ? undefined : this.#facts.clock.after(next, () => this.#settle());
  }

  /**
   * @param activated gets the inputs that become active.
   * @returns ms until the next level counts
   */
  #followInputs(activated: Set<number>): number {
    const now = this.#facts.clock.monotonic();
    let next = Number.POSITIVE_INFINITY;
    for (const { input, driven } of this.#ports) {
      if (input !== undefined) next = Math.min(next, input.follow(driven, now));
    }
    // All levels of this moment first: whoever listens sees none without the others.
    const changed = this.#ports.filter(({ number }) => this.isActive(number) !== this.#heard.has(number));
    for (const port of changed) {
      if (!this.isActive(port.number)) {
        this.#heard.delete(port.number);
        continue;
      }
      this.#heard.add(port.number);
      activated.add(port.number);
      port.count();
    }
    for (const { number } of changed) {
      for (const listener of this.#listeners) listener(number, this.#heard.has(number));
    }
    return next;
  }

  /** @returns ms until the next output becomes inactive by itself */
  #followOutputs(activated: ReadonlySet<number>): number {
    const now = this.#facts.clock.monotonic();
    let next = Number.POSITIVE_INFINITY;
    for (const port of this.#ports) {
      const { output } = port;
      if (output === undefined) continue;
      const before = output.active;
      next = Math.min(
        next,
        output.follow(this.#signals, (input) => activated.has(input), now),
      );
      if (output.active && !before) port.count();
    }
    return next;
  }
}

const typeNames = {
  [PortType.INPUT]: 'INPUT',
  [PortType.OUTPUT]: 'OUTPUT',
  [PortType.ENCODER]: 'ENCODER',
} as const;
