import type { Method, Refusal, Status, Variable } from '@azimuth/model';

/** A variable or method as the scanner declares it. */
export type Declared = Variable<unknown> | Method<unknown, unknown>;

/** The fault of one declaration. What is not stated stays as it is. */
export interface Fault {
  /** Replaces the conversion of what a client writes to the variable, or sends to the method. */
  readonly fromJson?: (json: unknown, at: string) => unknown;
  /** Replace these facts. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** Changes the names that clients find, and what they mean. */
  readonly serves?: (endpoints: Map<string, Declared>) => void;
  /** Replaces these members of the declaration itself. */
  readonly declares?: Readonly<Record<string, unknown>>;
  /** Requests without the header of a login are those of Service. */
  readonly admitsWithoutHeader?: true;
  /** A write whose `data` is refused with one of these statuses, whatever the value, succeeds. */
  readonly forgives?: readonly Status[];
  /** Replaces the `data` of a read, or the response of a call. */
  readonly answers?: (data: unknown) => unknown;
}

/** What a fault may use of the scanner in which it is planted: its own copies. */
export interface ScannerModel {
  readonly Refusal: typeof Refusal;
}

/**
 * Makes the fault of a declaration.
 * @param model that of the scanner: refusals of another copy are none to it
 * @throws TypeError if the declaration cannot have this fault
 */
export type Change = (declared: Declared, model: ScannerModel) => Fault;
