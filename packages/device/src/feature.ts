import type { Method, Variable } from '@azimuth/model';
import type { Caller } from './access/access.js';
import type { Log } from './interfaces/environment.js';

/** Arguments of a method beside its request. */
export interface Call {
  readonly caller: Caller;
  /** The log for this call: its lines carry the correlation of the request. */
  readonly log: Log;
  /** Calls `act` after the response was sent: a reboot, a change of address. */
  afterwards(act: () => void): void;
}

/** Puts back what was remembered. A returned promise is fulfilled when that has taken effect. */
export type PutBack = () => unknown;

/** Something runs that cannot be remembered. The message names it. */
export class Underway extends Error {
  override readonly name = 'Underway';
}

/** A variable whose value comes from the state of the device. */
export interface Computed {
  readonly variable: Variable<unknown>;
  readonly value: () => unknown;
  /** The variables that it follows. A change of one of them announces this one, too. */
  readonly from: readonly Variable<unknown>[];
}

/** A variable of a product that takes written values itself, instead of the parameters. */
export interface Setter {
  readonly variable: Variable<unknown>;
  /** Takes a checked value. Returns a promise if that takes time. */
  readonly set: (value: unknown) => Promise<unknown> | undefined;
}

/** A method with its implementation. */
export interface Performed {
  readonly method: Method<unknown, unknown>;
  readonly perform: (request: unknown, call: Call) => unknown;
}

/**
 * The behaviour of a group of the interface, or of a part of it: its computed variables, its methods, and its life from
 * boot to boot. Features boot in the order of their list (features.ts), and go down in the opposite order.
 */
export interface Feature {
  readonly computed?: readonly Computed[];
  readonly methods?: readonly Performed[];
  readonly setters?: readonly Setter[];
  /** Parameters whose new values come into force at a boot, and not when they are written. */
  readonly readAtBoot?: readonly Variable<unknown>[];
  /**
   * Called when power is switched on, at the first start or after a power cut. Resolves when everything that has to be
   * stored is on disk.
   */
  powerOn?(): Promise<void>;
  /** Resolves when everything that the next boot reads is on disk. */
  beforeBoot?(): Promise<void>;
  /**
   * Called when the stored parameters were loaded. They may be replaced until the promise resolves, before any feature
   * comes up. The promise must resolve.
   */
  loaded?(): Promise<void>;
  /** Comes up, with the stored parameters. */
  boot?(): void;
  /** Goes down: for a reboot, or for good. It may be called twice. */
  down?(): void;
  /**
   * Called after `down` when power goes off for good. No timer runs from here on, and everything that has to be stored
   * is on disk.
   */
  end?(): void | Promise<void>;
  /** Called when a lot of time is about to pass at once: nothing measures or pulses until `resume`. */
  pause?(): void;
  resume?(): void;
  /**
   * Remembers what the feature holds in memory beside parameters. The returned function puts that back, as often as it
   * is called, also after boots. What is due later gets the time that was left.
   * @throws Underway if something runs that cannot be put back
   */
  remember?(): PutBack;
}

/** Defines the source of a variable's value, and the variables that it follows. */
export function computed<T>(
  variable: Variable<T>,
  value: () => T,
  from: readonly Variable<unknown>[] = [],
): Computed {
  return { variable, value, from };
}

/**
 * Defines the action of a method. `perform` gets the checked request and returns the response. A Refusal that it throws
 * becomes a response with its status.
 */
export function method<Req, Res>(
  method: Method<Req, Res>,
  perform: (request: Req, call: Call) => Res | Promise<Res>,
): Performed {
  return {
    method,
    perform: (json, call) => perform(method.request.fromJson(json, ''), call),
  };
}
