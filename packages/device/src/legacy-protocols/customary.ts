import type { Edition, Endpoint, Level, ValueType, Variable } from '@azimuth/model';
import type { Conditions } from '../lifecycle/conditions.js';
import type { MeasuringState } from '../measuring/measuring-state.js';
import type { Parameters } from '../parameters/parameters.js';

/** What these names are about. */
export interface Scanner {
  readonly edition: Edition;
  readonly parameters: Parameters;
  readonly conditions: Conditions;
  readonly measuring: { readonly state: MeasuringState; microseconds(): number };
  read<T>(variable: Variable<T>): T;
}

/** Another name for something of the interface: read, written, called and followed as that is. */
export interface CustomaryAlias {
  readonly kind: 'alias';
  readonly endpoint: Endpoint;
  /** What a call means that brings no values; the method's own rules where nothing is stated. */
  readonly withoutValues?: Readonly<Record<string, unknown>>;
}

/** A variable that the interface does not have, and what it stands for. */
export interface CustomaryVariable {
  readonly kind: 'variable';
  readonly type: ValueType<unknown>;
  /** The variables that it stands for: a change of one of them is a change of this one, too. */
  readonly from: readonly Variable<unknown>[];
  /** Part of the value: there is an event where it has changed, and for nothing else. All of it where none is stated. */
  readonly eventPart?: (device: Scanner) => string;
  readonly read: (device: Scanner) => unknown;
  /** The lowest level that may write it; nobody may where nothing is stated. */
  readonly level?: Level;
  readonly write?: (device: Scanner, value: unknown) => void;
  /** Can a scanner of this edition be written to? Where nothing is stated, any can. */
  readonly isWritable?: (edition: Edition) => boolean;
}

/** A method that the interface does not have. */
export interface CustomaryMethod {
  readonly kind: 'method';
  /** Undefined for one that takes no values. */
  readonly request?: ValueType<unknown>;
  readonly response: ValueType<unknown>;
  /** The lowest level that may call it; any may where nothing is stated. */
  readonly level?: Level;
  readonly call: (device: Scanner, request: unknown) => unknown;
}

/** An event that can be followed and never comes. */
export interface CustomaryEvent {
  readonly kind: 'event';
}

/** A name that clients of this device family use beside those of the interface. */
export type Customary = CustomaryAlias | CustomaryVariable | CustomaryMethod | CustomaryEvent;

interface VariableOptions<T> {
  readonly from?: readonly Variable<unknown>[];
  readonly eventPart?: (device: Scanner) => string;
  readonly read: (device: Scanner) => T;
  readonly level?: Level;
  readonly write?: (device: Scanner, value: T) => void;
  readonly isWritable?: (edition: Edition) => boolean;
}

export function alias(endpoint: Endpoint, withoutValues?: Readonly<Record<string, unknown>>): CustomaryAlias {
  return { kind: 'alias', endpoint, ...(withoutValues === undefined ? {} : { withoutValues }) };
}

/** A variable of a type; what is written has been checked by it. */
export function customary<T>(
  type: ValueType<T>,
  { from = [], write, ...rest }: VariableOptions<T>,
): Customary {
  const checked =
    write === undefined
      ? {}
      : { write: (device: Scanner, value: unknown) => write(device, type.fromJson(value, '')) };
  return { kind: 'variable', type, from, ...rest, ...checked };
}

interface MethodOptions<Request, Response> {
  readonly request: ValueType<Request>;
  readonly response: ValueType<Response>;
  readonly level: Level;
  readonly call: (device: Scanner, request: Request) => Response;
}

/** A method with values; what it is given has been checked by their type. */
export function customaryMethod<Request, Response>({
  request,
  call,
  ...rest
}: MethodOptions<Request, Response>): Customary {
  return {
    kind: 'method',
    request,
    ...rest,
    call: (device, given) => call(device, request.fromJson(given, '')),
  };
}
