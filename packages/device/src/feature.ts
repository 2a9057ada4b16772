import type { Method, Variable } from '@azimuth/model';
import type { Caller } from './access/access.js';
import type { Log } from './interfaces/environment.js';

/** What a method gets beside its request. */
export interface Call {
  readonly caller: Caller;
  /** For this call: its lines carry the correlation of the request. */
  readonly log: Log;
  /** Calls `act` after the answer was sent: a reboot, a change of address. */
  afterwards(act: () => void): void;
}

/** A variable whose value comes from the state of the device. */
export interface Computed {
  readonly variable: Variable<unknown>;
  readonly value: () => unknown;
  /** The variables that it follows: a change of one of them announces this one too. */
  readonly from: readonly Variable<unknown>[];
}

/** A method with what it does. */
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
  /** Power is switched on, at the first start or after a power cut. Resolves when what has to be on disk is. */
  powerOn?(): Promise<void>;
  /** Resolves when everything that the next boot reads is on disk. */
  beforeBoot?(): Promise<void>;
  /**
   * The stored parameters were loaded. They may be replaced until the promise resolves, before any feature comes up. It
   * must resolve.
   */
  loaded?(): Promise<void>;
  /** Comes up, with the parameters as they were stored. */
  boot?(): void;
  /** Goes down: for a reboot, or for good. It may be called twice. */
  down?(): void;
  /** Power goes off for good, after `down`: no timer runs from here on, and what has to be on disk is. */
  end?(): void | Promise<void>;
  /** A lot of time is about to pass at once: nothing measures or pulses until `resume`. */
  pause?(): void;
  resume?(): void;
}

/** Says where a variable's value comes from, and which variables it follows. */
export function computed<T>(
  variable: Variable<T>,
  value: () => T,
  from: readonly Variable<unknown>[] = [],
): Computed {
  return { variable, value, from };
}

/**
 * Says what a method does. `perform` gets the checked request and answers the response; a Refusal that it throws is
 * answered with its status.
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
