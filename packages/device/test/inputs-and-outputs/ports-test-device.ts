import { inputsAndOutputs, type PlugPins, portCount, type Variable } from '@azimuth/model';
import { configuration, type Settings } from '@azimuth/test-support/port-configuration';
import { Announcements } from '../../src/announcements.js';
import { DeviceTime } from '../../src/clock/device-time.js';
import { VirtualClock } from '../../src/index.js';
import type { OutputSignals } from '../../src/inputs-and-outputs/output-sources.js';
import { Ports } from '../../src/inputs-and-outputs/ports.js';
import { Uptime } from '../../src/measuring/telegram-time.js';
import { Parameters } from '../../src/parameters/parameters.js';

const { PortConfiguration } = inputsAndOutputs.members;

export const low = 0;
export const high = 1;
export const tristate = 2;

/** Ports on virtual time, with signals to switch. */
export class PortsTestDevice {
  readonly clock: VirtualClock;
  readonly announcements = new Announcements();
  readonly parameters = new Parameters(this.announcements);
  readonly uptime: Uptime;
  /** The sources that are on now, by their codes. */
  readonly on = new Set<string>();
  readonly references: number[] = [];
  readonly announced: (readonly string[])[] = [];
  readonly ports: Ports;
  /** The levels at the pins. */
  readonly #levels = Array.from({ length: portCount }, () => false);

  constructor(
    settings: Readonly<Record<number, Settings>> = {},
    clock = new VirtualClock(Date.UTC(2026, 4, 4, 9, 30, 0)),
    plug: PlugPins | undefined = undefined,
  ) {
    this.clock = clock;
    this.uptime = new Uptime(clock);
    const signals: OutputSignals = {
      ready: () => this.on.has('DRDY'),
      field: (evaluation) => this.on.has(`FE${String(evaluation).padStart(2, '0')}`),
      contaminationWarning: () => this.on.has('CWRN'),
      contaminationError: () => this.on.has('CERR'),
      temperatureAlarm: () => this.on.has('TALM'),
    };
    this.ports = new Ports({
      hardware: { inputs: () => this.#levels, outputs: undefined },
      parameters: this.parameters,
      announcements: this.announcements,
      clock,
      time: new DeviceTime(clock),
      uptime: this.uptime,
      signals,
      plug,
      encoderReference: (signal) => this.references.push(signal),
    });
    this.#boot({ [PortConfiguration.name]: configuration(settings) });
    this.announcements.subscribe((changed) => this.announced.push(namesOf(changed)));
  }

  /** Boots with another stored configuration, or the present one. */
  boot(settings: Readonly<Record<number, Settings>> | undefined = undefined): void {
    this.ports.down();
    const stored =
      settings === undefined ? this.parameters.stored(PortConfiguration) : configuration(settings);
    this.#boot({ [PortConfiguration.name]: stored });
  }

  configure(settings: Readonly<Record<number, Settings>>): void {
    this.parameters.change((change) => change.set(PortConfiguration, configuration(settings)));
  }

  /** Drives a pin from outside. */
  drive(port: number, high: boolean): void {
    this.#levels[port - 1] = high;
    this.ports.levelsChanged();
  }

  /** Switches only these sources on. */
  signal(...codes: readonly string[]): void {
    this.on.clear();
    for (const code of codes) this.on.add(code);
    this.ports.update();
  }

  /** State of a port in OutputState. */
  level(port: number): number | undefined {
    return this.ports.outputState.aDigitalOut[port - 1]?.IOState.eIOState;
  }

  switched(port: number): number | undefined {
    return this.ports.outputState.aDigitalOut[port - 1]?.udiCounter;
  }

  inputLevel(port: number): number | undefined {
    return this.ports.inputState.aDigitalIn[port - 1]?.IOState.eIOState;
  }

  state(port: number): number | undefined {
    return this.ports.portState.aInternalPorts[port - 1]?.ePortState;
  }

  counter(port: number): number | undefined {
    return this.ports.portState.aInternalPorts[port - 1]?.PortCounter;
  }

  #boot(stored: Readonly<Record<string, unknown>>): void {
    this.parameters.boot(
      [PortConfiguration],
      ({ type }) => type.initial,
      stored,
      (fault) => {
        throw fault;
      },
    );
    this.uptime.boot();
    this.ports.boot();
  }
}

function namesOf(variables: readonly Variable<unknown>[]): readonly string[] {
  return variables.map(({ name }) => name);
}
