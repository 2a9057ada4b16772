import {
  allParameters,
  basicSettings,
  type Evaluation,
  type EvaluationGroup,
  extensions,
  type FieldDefinitions,
  fieldEvaluation,
  mountingPosition,
  type Release,
  type ValueOf,
  type Variable,
} from '@azimuth/model';
import { LogBook } from '@azimuth/test-support/log-book';
import { Announcements } from '../../src/announcements.js';
import { DeviceTime } from '../../src/clock/device-time.js';
import { FieldEvaluation, type Infringement } from '../../src/field-evaluation/field-evaluation.js';
import { TeachIn } from '../../src/field-evaluation/teach-in.js';
import { VirtualClock } from '../../src/index.js';
import { Conditions } from '../../src/lifecycle/conditions.js';
import { Measuring } from '../../src/measuring/measuring.js';
import { TelegramTime, Uptime } from '../../src/measuring/telegram-time.js';
import { Parameters } from '../../src/parameters/parameters.js';
import { ScriptedCore } from './scripted-core.js';

const { fields } = extensions.members;

// Conditions of a device after it got its core.

/** A rectangle ahead of the scanner: 1 to 3 m away, 2 m wide. */
export const ahead = [
  { x: 1000, y: -1000 },
  { x: 3000, y: -1000 },
  { x: 3000, y: 1000 },
  { x: 1000, y: 1000 },
];

/** An evaluation with these settings. By default, any object of any beam infringes it. */
export function evaluation(given: Partial<Evaluation> & { readonly Id: number }): Partial<Evaluation> {
  return { Points: ahead, MinimumObjectSize: 0, ...given };
}

/** A group with these settings. By default, it is always active. */
export function group(
  Id: number,
  Evaluations: readonly number[],
  Activation: Partial<EvaluationGroup['Activation']> = { Type: 1 },
): unknown {
  return { Id, Activation, Evaluations };
}

/** Parts of a scanner for fields, on virtual time; up, and without objects in sight. */
export class FieldTestDevice {
  readonly clock = new VirtualClock();
  readonly log = new LogBook();
  readonly core: ScriptedCore;
  readonly announcements = new Announcements();
  readonly parameters = new Parameters(this.announcements);
  readonly conditions = new Conditions(() => undefined);
  readonly time = new DeviceTime(this.clock);
  readonly measuring: Measuring;
  readonly fields: FieldEvaluation;
  readonly teachIn: TeachIn;
  /** Ports that are active inputs. */
  readonly inputs = new Set<number>();
  readonly #inputListeners = new Set<() => void>();
  readonly infringements: Infringement[] = [];
  /** Announcements, with the time in ms. */
  readonly announced: [number, string][] = [];

  constructor({
    variant = 'full',
    core = new ScriptedCore(),
    release = '2.4.4',
  }: { variant?: 'full' | 'basic'; core?: ScriptedCore; release?: Release } = {}) {
    this.core = core;
    const { clock, announcements, parameters, conditions, time, log } = this;
    const uptime = new Uptime(clock);
    const telegramTime = new TelegramTime(log);
    this.measuring = new Measuring({
      core,
      parameters,
      announcements,
      conditions,
      clock,
      uptime,
      telegramTime,
      log,
    });
    this.fields = new FieldEvaluation({
      parameters,
      announcements,
      measuring: this.measuring,
      clock,
      conditions,
      time,
      firmware: { release },
      ports: {
        isActive: (port) => this.inputs.has(port),
        onInput: (listener) => this.#inputListeners.add(listener),
      },
    });
    this.teachIn = new TeachIn(parameters, this.measuring, clock);
    this.fields.onInfringed((infringement) => this.infringements.push(infringement));
    announcements.subscribe((changed) => {
      for (const { name } of changed) this.announced.push([this.now, name]);
    });
    const edition = { release, variant } as const;
    parameters.boot(
      allParameters.filter((variable) => variable.isIn(edition)),
      (variable) => variable.factoryValue({ release, createdWith: release }),
      {},
      (fault) => {
        throw fault;
      },
    );
    this.measuring.boot();
    this.fields.boot();
    this.announced.length = 0;
  }

  /** ms since it came up, to the microsecond. */
  get now(): number {
    return Math.round(this.clock.monotonic() * 1000) / 1000;
  }

  write<T>(variable: Variable<T>, json: unknown): void {
    const value = variable.valueFrom(json);
    this.parameters.change((change) => change.set(variable, value));
  }

  define(evaluations: readonly unknown[], groups: readonly unknown[]): void {
    this.write(fields, { evaluations, groups });
  }

  get definitions(): FieldDefinitions {
    return this.parameters.read(fields);
  }

  mount(position: Partial<ValueOf<'SensorPosition'>>): void {
    const { SensorPosition } = mountingPosition.members;
    this.write(SensorPosition, { ...SensorPosition.type.initial, ...position });
  }

  switchProfile(number: number): void {
    this.write(basicSettings.members.PerformanceProfileNumber, number);
  }

  /** Reports that `inputs` have changed. */
  inputsChanged(): void {
    for (const listener of this.#inputListeners) listener();
  }

  /** Moves the clock on to this time, in ms since the device came up. */
  until(moment: number): void {
    this.clock.advance(Math.max(0, moment - this.clock.monotonic()));
  }

  /** The moments at which FieldEvaluationResult was announced. */
  get reported(): readonly number[] {
    const { name } = fieldEvaluation.members.FieldEvaluationResult;
    return this.announced.filter(([, announced]) => announced === name).map(([at]) => at);
  }
}
