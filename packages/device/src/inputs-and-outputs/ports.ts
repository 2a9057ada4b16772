import {
  contaminationIndication,
  defaultPlug,
  fieldEvaluation,
  inputsAndOutputs,
  type PlugPins,
  PortType,
  portsOfPlug,
  status,
  type ValueOf,
  type Variable,
} from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import type { DeviceTime } from '../clock/device-time.js';
import { Timeout } from '../clock/timeout.js';
import { computed, type Feature, method } from '../feature.js';
import type { ContainedHardware } from '../hardware/contained-hardware.js';
import type { Clock } from '../interfaces/environment.js';
import type { PinLevel } from '../interfaces/hardware/index.js';
import type { Uptime } from '../measuring/telegram-time.js';
import type { Parameters } from '../parameters/parameters.js';
import { type OutputSignals, type SourceSignals, validateSources } from './output-sources.js';
import { Port } from './port.js';
import { PortStates } from './port-states.js';

const { PortConfiguration, InputState, OutputState, PortState, SetOutput, mResetOutputCounter } =
  inputsAndOutputs.members;

/** Announced variables that outputs follow. */
const sourceVariables: readonly Variable<unknown>[] = [
  status.members.DeviceStatus,
  status.members.temperatureAlarmStatus,
  fieldEvaluation.members.FieldEvaluationResult,
  contaminationIndication.members.ContaminationResult,
];

interface PortsOptions {
  readonly hardware: Pick<ContainedHardware, 'inputs' | 'outputs'>;
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly clock: Clock;
  readonly time: DeviceTime;
  readonly uptime: Uptime;
  readonly signals: OutputSignals;
  /** The pins of its plug: 12 by default. */
  readonly plug?: PlugPins | undefined;
  /** Called when a reference signal of the encoder arrives at an AUX1 or AUX2 port. */
  readonly encoderReference: (signal: 1 | 2) => void;
}

/** The state of a port for the control port. */
interface PortOverview {
  /** 1 to 8 */
  readonly port: number;
  readonly name: string;
  readonly type: keyof typeof PortType;
  /** True if the external level is high. */
  readonly driven: boolean;
  /** True if it is active, as an input or output. */
  readonly active: boolean;
}

/** Called when the input of a port, 1 to 8, becomes active or inactive. */
type InputListener = (port: number, active: boolean) => void;

/**
 * The eight ports of PortConfiguration: inputs with external levels, and outputs that follow their sources. All changes
 * with the same cause are announced together. Without a change it computes nothing and runs no timer.
 */
export class Ports implements Feature {
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
  readonly #options: PortsOptions;
  readonly #signals: SourceSignals;
  readonly #states: PortStates;
  readonly #ports: readonly Port[];
  readonly #listeners = new Set<InputListener>();
  /** The active inputs after the last calls of the listeners. */
  readonly #reported = new Set<number>();
  #up = false;
  #following = false;
  #again = false;
  readonly #next: Timeout;

  constructor(options: PortsOptions) {
    this.#options = options;
    this.#next = new Timeout(options.clock);
    this.#states = new PortStates(options.time, options.uptime);
    const portCount = portsOfPlug[options.plug ?? defaultPlug];
    this.#ports = PortConfiguration.type.initial.map(
      (settings, index) => new Port(index + 1, settings, index < portCount),
    );
    const { signals } = options;
    this.#signals = {
      ready: () => signals.ready(),
      field: (evaluation) => signals.field(evaluation),
      contaminationWarning: () => signals.contaminationWarning(),
      contaminationError: () => signals.contaminationError(),
      temperatureAlarm: () => signals.temperatureAlarm(),
      input: (port) => this.isActive(port),
      switched: (port) => this.#at(port)?.output?.switched ?? false,
    };
    validateSources(options.parameters);
    options.announcements.subscribeTo([PortConfiguration], () => this.#configure());
    options.announcements.subscribeTo(sourceVariables, () => this.update());
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

  /**
   * One value for each of the ports 1 to 8: true if it is an output with a high signal. False for an open output and
   * for other ports.
   */
  get highOutputs(): readonly boolean[] {
    return this.#ports.map(({ output }) => output?.high ?? false);
  }

  /** The existing ports. While the scanner is down, none is active. */
  get overview(): readonly PortOverview[] {
    return this.#existing.map(({ number, settings, driven, active }) => ({
      port: number,
      name: settings.Name,
      type: typeNames[settings.PortType],
      driven,
      active: this.#up && active,
    }));
  }

  /** True if a port is an input and active. */
  isActive(port: number): boolean {
    return this.#at(port)?.input?.active ?? false;
  }

  /**
   * Calls `listener` when an input becomes active or inactive, before the outputs follow. A boot begins with no active
   * input. Returns a function that removes the listener.
   */
  onInput(listener: InputListener): () => void {
    // Copies the function, so that the same listener can be added twice.
    const entry: InputListener = (port, active) => listener(port, active);
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  /** Called when the levels at the pins may have changed. An output ignores its level until the port becomes an input. */
  levelsChanged(): void {
    const levels = this.#options.hardware.inputs();
    const changed = this.#ports.filter((port) => port.exists && port.driven !== isHigh(levels, port));
    if (changed.length === 0) return;
    // A level counts once it has lasted long enough, even if its timer is late.
    this.#update();
    for (const port of changed) {
      const reference = port.drive(isHigh(levels, port));
      if (reference !== undefined && this.#up) this.#options.encoderReference(reference);
    }
    this.#update();
  }

  /**
   * SetOutput: switches the source SCxx.
   * @returns false if the port is not an output, does not follow its own SCxx, or if the value is neither 0 nor 1
   */
  setOutput(port: number, value: number): boolean {
    const output = this.#at(port)?.output;
    if (output === undefined || !output.isSwitchable || (value !== 0 && value !== 1)) return false;
    output.switched = value === 1;
    this.#update();
    return true;
  }

  /** Sets the counters of the outputs back to zero. */
  resetOutputCounters(): void {
    for (const port of this.#ports) if (port.output !== undefined) port.counter = 0;
    this.#announce();
  }

  /** Called when a source of outputs may have changed. */
  update(): void {
    this.#update();
  }

  remember(): () => void {
    const { clock, announcements } = this.#options;
    const ports = this.#ports.map((port) => port.remember(clock));
    const putBackStates = this.#states.remember();
    const reported = [...this.#reported];
    return () => {
      for (const putBack of ports) putBack();
      putBackStates();
      this.#reported.clear();
      for (const port of reported) this.#reported.add(port);
      announcements.changed([InputState, OutputState, PortState]);
      // Sets the timers and the pins again.
      this.#update();
    };
  }

  /** Called at a boot: every port restarts, with its counter at zero. */
  boot(): void {
    this.#up = true;
    this.#reported.clear();
    const settings = this.#settings;
    const levels = this.#options.hardware.inputs();
    for (const [index, port] of this.#ports.entries()) {
      if (port.exists) port.drive(isHigh(levels, port));
      port.boot(settings[index] ?? port.settings);
    }
    this.#follow();
    this.#states.boot(this.#ports);
    this.#options.announcements.changed([InputState, OutputState, PortState]);
  }

  /** Called when the scanner goes down, for a reboot or for good: it drives no pin. */
  down(): void {
    this.#up = false;
    this.#next.stop();
    this.#options.hardware.outputs?.set(this.#openPins);
  }

  async end(): Promise<void> {
    await this.#options.hardware.outputs?.end(this.#openPins);
  }

  /** The pins of a scanner that is down. */
  get #openPins(): readonly PinLevel[] {
    return this.#existing.map(() => 'open');
  }

  get #existing(): readonly Port[] {
    return this.#ports.filter(({ exists }) => exists);
  }

  get #settings(): ValueOf<'PortConfiguration'> {
    const { parameters } = this.#options;
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
    this.#update();
  }

  #update(): void {
    if (!this.#up) return;
    if (this.#following) {
      this.#again = true;
      return;
    }
    this.#follow();
    this.#announce();
  }

  #announce(): void {
    this.#options.announcements.changed(this.#states.update(this.#ports));
  }

  /** Updates inputs first, then calls their listeners, then updates outputs, so no output follows an intermediate state. */
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
    this.#next.set(next, () => this.#update());
    this.#options.hardware.outputs?.set(this.#existing.map(({ output }) => output?.pinLevel ?? 'open'));
  }

  /**
   * @param activated receives the newly active inputs
   * @returns ms until the next level counts
   */
  #followInputs(activated: Set<number>): number {
    const now = this.#options.clock.monotonic();
    let next = Number.POSITIVE_INFINITY;
    for (const { input, driven } of this.#ports) {
      if (input !== undefined) next = Math.min(next, input.follow(driven, now));
    }
    // Updates all levels of this moment first, so that listeners see a consistent state.
    const changed = this.#ports.filter(({ number }) => this.isActive(number) !== this.#reported.has(number));
    for (const port of changed) {
      if (!this.isActive(port.number)) {
        this.#reported.delete(port.number);
        continue;
      }
      this.#reported.add(port.number);
      activated.add(port.number);
      port.count();
    }
    for (const { number } of changed) {
      for (const listener of this.#listeners) listener(number, this.#reported.has(number));
    }
    return next;
  }

  /** @returns ms until the next output becomes inactive by itself */
  #followOutputs(activated: ReadonlySet<number>): number {
    const now = this.#options.clock.monotonic();
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

function isHigh(levels: readonly boolean[], { number }: Port): boolean {
  return levels[number - 1] ?? false;
}

const typeNames = {
  [PortType.INPUT]: 'INPUT',
  [PortType.OUTPUT]: 'OUTPUT',
  [PortType.ENCODER]: 'ENCODER',
} as const;
