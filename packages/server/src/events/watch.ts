import type { Device } from '@azimuth/device';
import { dateAndSystemTime, extensionPrefix, imuDataOutput, type Variable } from '@azimuth/model';
import { Tail } from './tail.js';

/** What changes all the time, as a whole: told to those who name it. */
const restless: ReadonlySet<Variable<unknown>> = new Set([
  dateAndSystemTime.members.LSPdatetime,
  imuDataOutput.members.InertialMeasurementUnit,
]);

type Listener = (tail: Tail) => void;

/** The name that a variable is told under, as far as it can be read: that of a GET, with `x/` where that is below it. */
export function nameOf({ endpoints, extensions }: Device, variable: Variable<unknown>): string | undefined {
  const { name } = variable;
  if (endpoints.get(name) === variable) return name;
  return extensions.get(name) === variable ? extensionPrefix + name : undefined;
}

/** The variable of this name; undefined where none can be read under it. */
export function named({ endpoints, extensions }: Device, name: string): Variable<unknown> | undefined {
  const endpoint = endpoints.get(name);
  if (endpoint?.kind === 'variable') return endpoint;
  return name.startsWith(extensionPrefix) ? extensions.get(name.slice(extensionPrefix.length)) : undefined;
}

/** Changes of certain variables, or of all, for all who watch the same: each announcement put into words once. */
export class Watch {
  readonly #device: Device;
  readonly #variables: ReadonlySet<Variable<unknown>> | undefined;
  readonly #listeners = new Set<Listener>();
  readonly #idle: () => void;
  #stop: (() => void) | undefined;

  /**
   * @param variables undefined for all that do not change all the time
   * @param idle called when the last listener has gone
   */
  constructor(device: Device, variables: ReadonlySet<Variable<unknown>> | undefined, idle: () => void) {
    this.#device = device;
    this.#variables = variables;
    this.#idle = idle;
  }

  add(listener: Listener): void {
    this.#listeners.add(listener);
    this.#stop ??= this.#begin();
  }

  delete(listener: Listener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
    this.#idle();
  }

  #begin(): () => void {
    const { announcements } = this.#device;
    const stops = [...(this.#variables ?? [])].map((variable) =>
      announcements.follow(variable, (goesOn) => {
        if (goesOn) this.#tell([variable]);
      }),
    );
    stops.push(announcements.subscribe((changed) => this.#tell(changed)));
    return () => {
      for (const stop of stops) stop();
    };
  }

  #tell(changed: readonly Variable<unknown>[]): void {
    const values: Record<string, unknown> = {};
    for (const variable of changed) {
      const isWatched = this.#variables?.has(variable) ?? !restless.has(variable);
      const name = isWatched ? nameOf(this.#device, variable) : undefined;
      if (name !== undefined) values[name] = this.#device.read(variable);
    }
    if (Object.keys(values).length === 0) return;
    const tail = new Tail(JSON.stringify({ changed: values }));
    for (const listener of this.#listeners) listener(tail);
  }
}
