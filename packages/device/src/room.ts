import type { Method, Variable } from '@azimuth/model';
import type { Caller } from './access/access.js';
import type { Log } from './ports/host.js';

/** What a method is told beside its request. */
export interface Call {
  readonly caller: Caller;
  /** For what this call has to tell: its lines carry what leads back to the request. */
  readonly log: Log;
  /** Has something done once the answer is out: a reboot, a change of address. */
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
export interface Act {
  readonly method: Method<unknown, unknown>;
  readonly perform: (request: unknown, call: Call) => unknown;
}

/** The behaviour behind a group: which of its variables are computed, and what its methods do. */
export interface Room {
  /** The parameters that have their effect here, beside those that a computed variable follows. */
  readonly heeds?: readonly Variable<unknown>[];
  readonly computed?: readonly Computed[];
  readonly acts?: readonly Act[];
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
 * Says what a method does. `perform` gets the checked request and answers the response; a Fault that it throws is
 * answered with its status.
 */
export function act<Req, Res>(
  method: Method<Req, Res>,
  perform: (request: Req, call: Call) => Res | Promise<Res>,
): Act {
  return {
    method,
    perform: (json, call) => perform(method.request.fromJson(json, ''), call),
  };
}
