import { IOState, inputsAndOutputs, type ValueOf, type Variable } from '@azimuth/model';
import type { DeviceTime } from '../date-and-system-time/device-time.js';
import type { Uptime } from '../measuring/telegram-time.js';
import type { Port } from './port.js';
import { Stamped } from './stamped.js';

const { InputState, OutputState, PortState } = inputsAndOutputs.members;

/** The three states that tell of the ports, each with the time of its last change. */
export class PortStates {
  readonly #inputs: Stamped<ValueOf<'InputState'>['aDigitalIn'][number]>;
  readonly #outputs: Stamped<ValueOf<'OutputState'>['aDigitalOut'][number]>;
  readonly #ports: Stamped<ValueOf<'PortState'>['aInternalPorts'][number]>;

  constructor(time: DeviceTime, uptime: Uptime) {
    this.#inputs = new Stamped(time, uptime);
    this.#outputs = new Stamped(time, uptime);
    this.#ports = new Stamped(time, uptime);
  }

  get inputState(): ValueOf<'InputState'> {
    return { ...this.#inputs.stamp, aDigitalIn: this.#inputs.items };
  }

  get outputState(): ValueOf<'OutputState'> {
    return { ...this.#outputs.stamp, aDigitalOut: this.#outputs.items };
  }

  /** There are no external ports. */
  get portState(): ValueOf<'PortState'> {
    return { ...this.#ports.stamp, aInternalPorts: this.#ports.items, aExternalPorts: [] };
  }

  /** A boot: all states are new ones. */
  boot(ports: readonly Port[]): void {
    this.#inputs.put(ports.map(inputOf));
    this.#outputs.put(ports.map(outputOf));
    this.#ports.put(ports.map(portOf));
  }

  /** Takes the states of the ports over. Answers the variables that have changed. */
  take(ports: readonly Port[]): readonly Variable<unknown>[] {
    const changed: Variable<unknown>[] = [];
    if (this.#inputs.take(ports.map(inputOf))) changed.push(InputState);
    if (this.#outputs.take(ports.map(outputOf))) changed.push(OutputState);
    if (this.#ports.take(ports.map(portOf))) changed.push(PortState);
    return changed;
  }
}

function inputOf({ input }: Port) {
  if (input === undefined) return { IOState: { eIOState: IOState.IOS_TRISTATE } };
  return { IOState: { eIOState: input.high ? IOState.IOS_HIGH : IOState.IOS_LOW } };
}

function outputOf({ output, counter }: Port) {
  if (output === undefined) return { IOState: { eIOState: IOState.IOS_TRISTATE }, udiCounter: 0 };
  return { IOState: { eIOState: output.level }, udiCounter: counter };
}

function portOf({ state, counter }: Port) {
  return { ePortState: state, PortCounter: counter };
}
