import {
  builtInInterface,
  type KnownInterface,
  type Level,
  Refusal,
  reaches,
  sameJson,
  type Variable,
} from '@azimuth/model';
import type { Calls } from '../calls.js';
import { ClientError, PasswordMissingError, RateLimitError, ScannerError } from '../errors.js';
import { type BackupContent, type OwnPart, ownPart } from './backup-content.js';

/** Reason why a parameter is not written. */
export type SkipReason =
  /** No variable of this name is known. */
  | 'unknown'
  /** The scanner does not have it: its release or variant is another one. */
  | 'missing'
  /** Nobody can write it. */
  | 'read-only'
  /** The login may not write it. */
  | 'level'
  /** Name and network of the scanner are retained. */
  | 'own'
  /** The value is not allowed. */
  | 'not allowed';

/** The plan for one parameter. JSON values. */
export interface PlannedParameter {
  /** Its name in requests: extensions have a prefix. */
  readonly name: string;
  /** Its variable; undefined if Azimuth does not know it. */
  readonly variable: Variable<unknown> | undefined;
  /** The current value; undefined if the scanner does not have the parameter. */
  readonly from: unknown;
  /** The new value. */
  readonly to: unknown;
  readonly act: 'write' | 'same' | 'skip';
  /** The reason why it is skipped; undefined if it is written. */
  readonly skipped: SkipReason | undefined;
  /**
   * Details of the reason. For `level`, the lowest level that may write it; for `not allowed`, the error. Otherwise
   * empty.
   */
  readonly detail: string;
}

export interface PlanOptions {
  /** The level of the login; without one, levels are not checked. */
  readonly level?: Level | undefined;
  /** Parts that keep their current value; nothing by default. */
  readonly retained?: readonly OwnPart[] | undefined;
  /** What is known of the names of the scanner; the model by default. */
  readonly known?: KnownInterface | undefined;
}

/** Names under which the parameters of a backup are read, as far as they are known; by default, to the model. */
export function parametersIn(
  { values }: Pick<BackupContent, 'values'>,
  known = builtInInterface,
): readonly string[] {
  return [...values.keys()].flatMap((name) => known.unprefixed(name)?.name ?? []);
}

/**
 * Plans the writes that give a scanner these values, in their order. Name and network come last, after the other
 * parameters in the order of the interface; unknown parameters are at the very end. The conversion of values of an
 * older release by a scanner is not considered.
 * @param values by the names of the parameters
 * @param now the values of the scanner, by the names of `parametersIn`
 */
export function plannedChanges(
  values: ReadonlyMap<string, unknown>,
  now: ReadonlyMap<string, unknown>,
  options: PlanOptions = {},
): readonly PlannedParameter[] {
  const { known = builtInInterface } = options;
  const order = new Map(known.parameters.map(({ name }, index) => [name, index]));
  return [...values]
    .map(([name, to]) => planned(known.unprefixed(name) ?? { name, variable: undefined }, to, now, options))
    .toSorted((one, other) => writeOrder(one, order) - writeOrder(other, order));
}

function planned(
  { name, variable }: Pick<PlannedParameter, 'name' | 'variable'>,
  json: unknown,
  now: ReadonlyMap<string, unknown>,
  options: PlanOptions,
): PlannedParameter {
  const to = variable === undefined ? json : variable.migrated(json);
  const from = now.get(name);
  const facts = { name, variable, from, to };
  if (variable !== undefined && from !== undefined && sameValue(variable, from, to)) {
    return { ...facts, act: 'same', skipped: undefined, detail: '' };
  }
  const [skipped, detail = ''] = obstacle(variable, from, to, options);
  return { ...facts, act: skipped === undefined ? 'write' : 'skip', skipped, detail };
}

/** Returns the reason why a parameter is not written, with the detail; empty if it is written. */
function obstacle(
  variable: Variable<unknown> | undefined,
  from: unknown,
  to: unknown,
  { level, retained = [] }: PlanOptions,
): readonly [SkipReason?, string?] {
  if (variable === undefined) return ['unknown'];
  if (from === undefined) return ['missing'];
  const { write } = variable.facts;
  if (write === undefined) return ['read-only'];
  const part = ownPart(variable);
  if (part !== undefined && retained.includes(part)) return ['own'];
  const problem = valueProblem(variable, to);
  if (problem !== undefined) return ['not allowed', problem];
  if (level !== undefined && !reaches(level, write)) return ['level', write];
  return [];
}

/** True if two JSON values are the same for a variable: a scanner may complete a value, and round it to its type. */
export function sameValue({ type, name }: Variable<unknown>, one: unknown, other: unknown): boolean {
  if (sameJson(one, other)) return true;
  try {
    return sameJson(type.fromJson(one, name), type.fromJson(other, name));
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

function valueProblem(variable: Variable<unknown>, json: unknown): string | undefined {
  try {
    variable.valueFrom(json);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

function writeOrder({ name, variable }: PlannedParameter, order: ReadonlyMap<string, number>): number {
  if (variable === undefined) return Number.POSITIVE_INFINITY;
  const place = order.get(name) ?? order.size;
  return ownPart(variable) === undefined ? place : order.size + 1 + place;
}

/** Returns the name of a parameter in requests: extensions have a prefix. */
export function wireName(variable: Variable<unknown>): string {
  return builtInInterface.unprefixed(variable.name)?.name ?? variable.name;
}

/** Result for one parameter. */
export interface WrittenParameter {
  readonly name: string;
  readonly outcome: /** Written: it has the value now. */
    | 'written'
    /** Refused by the scanner. */
    | 'refused'
    /** Sent, but not answered: it may be written or not. */
    | 'unanswered'
    /** Not sent. */
    | 'left';
  /** Reason why it is not written; empty if it is. */
  readonly reason: string;
  /** The error; undefined if it is written, or was not sent. */
  readonly error?: ClientError;
}

export interface WriteOptions {
  /** Called with the number of answered parameters, their number in all, and the name of the next one. */
  readonly onProgress?: ((done: number, total: number, next: string) => void) | undefined;
  /** Stops after the parameter that is being written. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes parameters one after the other, and reports the result of each. If the scanner refuses a value, the others
 * are written first; then this value is tried again: two ports, for example, may exchange their numbers. It stops if
 * the scanner is away or refuses the login. It does not save.
 */
export async function writeParameters(
  scanner: Pick<Calls, 'writeAny'>,
  parameters: readonly Pick<PlannedParameter, 'name' | 'to'>[],
  { onProgress = () => undefined, signal }: WriteOptions = {},
): Promise<readonly WrittenParameter[]> {
  const results = new Map<string, WrittenParameter>();
  let stopped: string | undefined;
  const write = async (name: string, to: unknown) => {
    if (signal?.aborted) stopped = 'stopped before';
    if (stopped !== undefined) return;
    onProgress(results.size, parameters.length, name);
    try {
      await scanner.writeAny(name, to);
      results.set(name, { name, outcome: 'written', reason: '' });
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      results.set(name, { name, outcome: outcomeAfter(error), reason: error.message, error });
      if (!concernsValue(error)) stopped = error.message;
    }
  };
  for (const { name, to } of parameters) await write(name, to);
  for (const { name, to } of parameters) {
    if (results.get(name)?.outcome === 'refused') await write(name, to);
  }
  return parameters.map(
    ({ name }) => results.get(name) ?? { name, outcome: 'left', reason: stopped ?? 'stopped before' },
  );
}

function outcomeAfter(error: ClientError): WrittenParameter['outcome'] {
  if (error instanceof ScannerError) return 'refused';
  return error instanceof PasswordMissingError || error instanceof RateLimitError ? 'left' : 'unanswered';
}

/** True if a refusal is about this value, and not about the login or the scanner. */
function concernsValue(error: ClientError): boolean {
  return (
    error instanceof ScannerError &&
    error.statusName !== 'accessDenied' &&
    error.statusName !== 'internalServerError'
  );
}
