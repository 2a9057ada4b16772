import { isDeepStrictEqual } from 'node:util';
import { type DateTime, IOState, inputsAndOutputs, type ValueOf, type Variable } from '@azimuth/model';
import type { DeviceTime } from '../clock/device-time.js';
import type { Uptime } from '../measuring/telegram-time.js';
import type { Port } from './port.js';

const { InputState, OutputState, PortState } = inputsAndOutputs.members;

/** The values of InputState, OutputState and PortState, each with the time of its last change. */
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

  /** The scanner has no external ports. */
  get portState(): ValueOf<'PortState'> {
    return { ...this.#ports.stamp, aInternalPorts: this.#ports.items, aExternalPorts: [] };
  }

  remember(): () => void {
    const parts = [this.#inputs.remember(), this.#outputs.remember(), this.#ports.remember()];
    return () => {
      for (const putBack of parts) putBack();
    };
  }

  /** Called at a boot: all states get a new time. */
  boot(ports: readonly Port[]): void {
    this.#inputs.set(ports.map(inputOf));
    this.#outputs.set(ports.map(outputOf));
    this.#ports.set(ports.map(portOf));
  }

  /** Updates the states of the ports. Returns the variables that have changed. */
  update(ports: readonly Port[]): readonly Variable<unknown>[] {
    const changed: Variable<unknown>[] = [];
    if (this.#inputs.update(ports.map(inputOf))) changed.push(InputState);
    if (this.#outputs.update(ports.map(outputOf))) changed.push(OutputState);
    if (this.#ports.update(ports.map(portOf))) changed.push(PortState);
    return changed;
  }
}

function inputOf({ input }: Port) {
  if (input === undefined) return { IOState: { eIOState: IOState.IOS_TRISTATE } };
  return { IOState: { eIOState: input.active ? IOState.IOS_HIGH : IOState.IOS_LOW } };
}

function outputOf({ output, counter }: Port) {
  if (output === undefined) return { IOState: { eIOState: IOState.IOS_TRISTATE }, udiCounter: 0 };
  const { active } = output;
  return { IOState: { eIOState: active ? IOState.IOS_HIGH : IOState.IOS_LOW }, udiCounter: counter };
}

function portOf({ state, counter }: Port) {
  return { ePortState: state, PortCounter: counter };
}

/** The members that the three values share. */
interface Stamp {
  readonly uiVersionNumber: number;
  readonly udiSystCount: number;
  readonly aTimeBlock: readonly DateTime[];
}

/**
 * Items with the time of their last change: `udiSystCount` in µs since the scanner came up (32 bits, wraps after
 * 71.6 minutes), and the device clock in `aTimeBlock`.
 */
class Stamped<T> {
  readonly #time: DeviceTime;
  readonly #uptime: Uptime;
  #items: readonly T[] = [];
  #stamp: Stamp = { uiVersionNumber: 1, udiSystCount: 0, aTimeBlock: [] };

  constructor(time: DeviceTime, uptime: Uptime) {
    this.#time = time;
    this.#uptime = uptime;
  }

  get items(): readonly T[] {
    return this.#items;
  }

  get stamp(): Stamp {
    return this.#stamp;
  }

  remember(): () => void {
    const [items, stamp] = [this.#items, this.#stamp];
    return () => {
      this.#items = items;
      this.#stamp = stamp;
    };
  }

  /** Changes the items. If they are the same, keeps the time and returns false. */
  update(items: readonly T[]): boolean {
    if (isDeepStrictEqual(items, this.#items)) return false;
    this.set(items);
    return true;
  }

  /** Changes the items and the time, even if the items are the same. */
  set(items: readonly T[]): void {
    this.#items = items;
    this.#stamp = {
      uiVersionNumber: 1,
      udiSystCount: Math.round(this.#uptime.microseconds) % 2 ** 32,
      aTimeBlock: [this.#time.now()],
    };
  }
}
