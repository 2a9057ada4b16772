import type { Device } from '@azimuth/device';
import { dateAndSystemTime, extensionPrefix, imuDataOutput, type Variable } from '@azimuth/model';
import type { ClientConnection } from './client-connection.js';
import type { EventCounts } from './event-metrics.js';
import { longestWaitingAnnouncements, mostWaitingAnnouncements } from './limits.js';

/** Variables that change continuously. They are sent only to clients that name them. */
const continuous: ReadonlySet<string> = new Set([
  dateAndSystemTime.members.LSPdatetime.name,
  imuDataOutput.members.InertialMeasurementUnit.name,
]);

type Listener = (text: string) => void;

/** Returns the name that a GET of a variable has, with `x/` for extensions; undefined if it cannot be read. */
function nameOf(
  { served: { endpoints, extensions } }: Device,
  { name }: Variable<unknown>,
): string | undefined {
  if (endpoints.has(name)) return name;
  return extensions.has(name) ? extensionPrefix + name : undefined;
}

/** Returns the variable of this name; undefined if no readable variable has it. */
function named({ served: { endpoints, extensions } }: Device, name: string): Variable<unknown> | undefined {
  const endpoint = endpoints.get(name);
  if (endpoint?.kind === 'variable') return endpoint;
  return name.startsWith(extensionPrefix) ? extensions.get(name.slice(extensionPrefix.length)) : undefined;
}

/** Changes of certain variables, or of all, for all clients that watch the same set. Each change is serialised once. */
class Watch {
  readonly #device: Device;
  /** By their names. */
  readonly #variables: ReadonlyMap<string, Variable<unknown>> | undefined;
  readonly #listeners = new Set<Listener>();
  readonly #idle: () => void;
  #stop: (() => void) | undefined;

  /**
   * @param variables undefined for all that do not change continuously
   * @param idle called when the last listener is removed
   */
  constructor(
    device: Device,
    variables: ReadonlyMap<string, Variable<unknown>> | undefined,
    idle: () => void,
  ) {
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
    const stops = [...(this.#variables?.values() ?? [])].map((variable) =>
      this.#device.follow(variable, (isRoutine) => {
        if (isRoutine) this.#publish([variable]);
      }),
    );
    stops.push(this.#device.announcements.subscribe((changed) => this.#publish(changed)));
    return () => {
      for (const stop of stops) stop();
    };
  }

  #publish(changed: readonly Variable<unknown>[]): void {
    const values: Record<string, unknown> = {};
    for (const variable of changed) {
      const isWatched = this.#variables?.has(variable.name) ?? !continuous.has(variable.name);
      const name = isWatched ? nameOf(this.#device, variable) : undefined;
      if (name !== undefined) values[name] = this.#device.read(variable);
    }
    if (Object.keys(values).length === 0) return;
    const text = JSON.stringify({ changed: values });
    for (const listener of this.#listeners) listener(text);
  }
}

/** Watches with listeners: one for each set of variables. */
export class Watches {
  readonly #device: Device;
  readonly #byNames = new Map<string, Watch>();

  constructor(device: Device) {
    this.#device = device;
  }

  get size(): number {
    return this.#byNames.size;
  }

  /** Returns the names in `names` that no readable variable has. */
  unknown(names: readonly string[]): readonly string[] {
    return names.filter((name) => named(this.#device, name) === undefined);
  }

  /** Returns the watch of these variables; of all if no names are given. It is deleted when its last listener is removed. */
  of(names: readonly string[]): Watch {
    const key = [...new Set(names)].sort().join();
    const watch = this.#byNames.get(key) ?? this.#make(names, key);
    this.#byNames.set(key, watch);
    return watch;
  }

  #make(names: readonly string[], key: string): Watch {
    const variables =
      names.length === 0
        ? undefined
        : new Map(
            names
              .flatMap((name) => named(this.#device, name) ?? [])
              .map((variable) => [variable.name, variable]),
          );
    return new Watch(this.#device, variables, () => this.#byNames.delete(key));
  }
}

/** Client that watches changes. If it reads too slowly, it gets the number of announcements that it has missed. */
export class Watcher {
  readonly #connection: ClientConnection;
  readonly #counts: EventCounts;
  readonly #waiting: string[] = [];
  #length = 0;
  #lost = 0;

  constructor(connection: ClientConnection, watch: Watch, counts: EventCounts) {
    this.#connection = connection;
    this.#counts = counts;
    const listener = (text: string) => this.#offer(text);
    connection.onDrain(() => this.#empty());
    connection.socket.once('close', () => watch.delete(listener));
    // Messages of the client are read and dropped.
    connection.onMessage(() => undefined);
    watch.add(listener);
  }

  #offer(text: string): void {
    if (!this.#connection.isFull) this.#send(text);
    else if (
      this.#lost > 0 ||
      this.#waiting.length >= mostWaitingAnnouncements ||
      this.#length > longestWaitingAnnouncements
    ) {
      this.#lost++;
      this.#counts.discarded++;
    } else {
      this.#waiting.push(text);
      this.#length += text.length;
    }
  }

  #send(text: string): void {
    this.#counts.pushed++;
    this.#connection.send(text);
  }

  #empty(): void {
    while (!this.#connection.isFull) {
      const text = this.#waiting.shift();
      if (text === undefined) break;
      this.#length -= text.length;
      this.#send(text);
    }
    if (this.#waiting.length > 0 || this.#lost === 0 || this.#connection.isFull) return;
    this.#connection.send(JSON.stringify({ lost: this.#lost }));
    this.#lost = 0;
  }
}
