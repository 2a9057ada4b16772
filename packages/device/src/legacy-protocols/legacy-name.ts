import type { Edition, Endpoint, Level, ValueType, Variable } from '@azimuth/model';
import type { Conditions } from '../lifecycle/conditions.js';
import type { MeasuringState } from '../measuring/measuring-state.js';
import type { Parameters } from '../parameters/parameters.js';

/** The parts of a device that these names read and change. */
export interface Scanner {
  readonly served: { readonly edition: Edition };
  readonly parameters: Parameters;
  readonly features: {
    readonly deviceStatus: { readonly conditions: Conditions };
    readonly measuring: { readonly state: MeasuringState; microseconds(): number };
  };
  read<T>(variable: Variable<T>): T;
}

/** Another name for an endpoint of the interface, with the same behaviour. */
interface LegacyAlias {
  readonly kind: 'alias';
  readonly endpoint: Endpoint;
  /** The request of a call without values; if undefined, the rules of the method apply. */
  readonly withoutValues?: Readonly<Record<string, unknown>>;
}

/** A variable that the interface does not have. */
export interface LegacyVariable {
  readonly kind: 'variable';
  readonly type: ValueType<unknown>;
  /** The variables that its value depends on. A change of one of them is a change of this one. */
  readonly from: readonly Variable<unknown>[];
  /** The part of the value whose changes are events. Undefined: the complete value. */
  readonly eventPart?: (device: Scanner) => string;
  readonly read: (device: Scanner) => unknown;
  /** The lowest level that may write it. Undefined: read-only. */
  readonly level?: Level;
  /** Returns a promise if the change takes effect later. */
  readonly write?: (device: Scanner, value: unknown) => Promise<unknown> | undefined;
  /** True if it is writable in this edition. Undefined: writable in all editions. */
  readonly isWritable?: (edition: Edition) => boolean;
}

/** A method that the interface does not have. */
interface LegacyMethod {
  readonly kind: 'method';
  /** Undefined without values. */
  readonly request?: ValueType<unknown>;
  readonly response: ValueType<unknown>;
  /** The lowest level that may call it. Undefined: every level. */
  readonly level?: Level;
  readonly call: (device: Scanner, request: unknown) => unknown;
}

/** An event that can be switched on and is never sent. */
interface LegacyEvent {
  readonly kind: 'event';
}

/** LMDscandata: scan data. It can be read as telegrams and subscribed to, but not written. */
export interface LegacyScanData {
  readonly kind: 'scanData';
}

/** The meaning of a legacy name: a name that clients of this device family use and the interface does not have. */
export type LegacyName = LegacyAlias | LegacyVariable | LegacyMethod | LegacyEvent | LegacyScanData;

interface VariableOptions<T> {
  readonly from?: readonly Variable<unknown>[];
  readonly eventPart?: (device: Scanner) => string;
  readonly read: (device: Scanner) => T;
  readonly level?: Level;
  readonly write?: (device: Scanner, value: T) => Promise<unknown> | undefined;
  readonly isWritable?: (edition: Edition) => boolean;
}

export function alias(endpoint: Endpoint, withoutValues?: Readonly<Record<string, unknown>>): LegacyAlias {
  return { kind: 'alias', endpoint, withoutValues };
}

/** A variable; written values are checked by its type. */
export function legacyVariable<T>(
  type: ValueType<T>,
  { from = [], write, ...rest }: VariableOptions<T>,
): LegacyName {
  return {
    kind: 'variable',
    type,
    from,
    ...rest,
    write: write && ((device: Scanner, value: unknown) => write(device, type.fromJson(value, ''))),
  };
}

interface MethodOptions<Request, Response> {
  readonly request: ValueType<Request>;
  readonly response: ValueType<Response>;
  readonly level: Level;
  readonly call: (device: Scanner, request: Request) => Response;
}

/** A method with values, which are checked by their type. */
export function legacyMethod<Request, Response>({
  request,
  call,
  ...rest
}: MethodOptions<Request, Response>): LegacyName {
  return {
    kind: 'method',
    request,
    ...rest,
    call: (device, given) => call(device, request.fromJson(given, '')),
  };
}
