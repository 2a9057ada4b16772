import {
  allParameters,
  allVariables,
  extensionPrefix,
  extensionVariables,
  type Level,
  Refusal,
  reaches,
  sameJson,
  type Variable,
} from '@azimuth/model';
import type { Calls } from '../calls.js';
import { ClientError, PasswordMissingError, RateLimitError, ScannerError } from '../errors.js';
import { type BackupContent, type OwnPart, ownPartOf } from './backup-content.js';

/** Why a parameter is not written. */
export type SkipReason =
  /** Azimuth knows no variable of this name. */
  | 'unknown'
  /** The scanner does not have it: its release or variant is another one. */
  | 'missing'
  /** Nobody can write it. */
  | 'read-only'
  /** The login may not write it. */
  | 'level'
  /** Name or network of the scanner stay as they are. */
  | 'own'
  /** The value is not allowed. */
  | 'not allowed';

/** What is done with one parameter to give it the value that is wanted. JSON values. */
export interface PlannedParameter {
  /** As it is read and written: extensions have a prefix. */
  readonly name: string;
  /** Undefined if Azimuth does not know it. */
  readonly variable: Variable<unknown> | undefined;
  /** The value now; undefined if the scanner does not have the parameter. */
  readonly from: unknown;
  /** The value that is wanted. */
  readonly to: unknown;
  readonly act: 'write' | 'same' | 'skip';
  /** Undefined unless it is skipped. */
  readonly skipped: SkipReason | undefined;
  /** For `level`, the lowest level that may write it; for `not allowed`, what is wrong. Otherwise empty. */
  readonly detail: string;
}

export interface PlanOptions {
  /** The level of the login; without one, levels are not looked at. */
  readonly level?: Level | undefined;
  /** What stays as it is although another value is wanted; nothing by default. */
  readonly keeps?: readonly OwnPart[] | undefined;
}

const known = new Map([...allVariables, ...extensionVariables].map((variable) => [variable.name, variable]));
const extensions = new Set(extensionVariables);
const order = new Map(allParameters.map((variable, index) => [variable, index]));

/** The names under which the parameters of a backup are read, as far as Azimuth knows them. */
export function parametersIn({ values }: Pick<BackupContent, 'values'>): readonly string[] {
  return [...values.keys()].flatMap((name) => {
    const variable = known.get(name);
    return variable === undefined ? [] : [wireName(variable)];
  });
}

/**
 * What has to be written so that a scanner has these values, in which order, and what is left out. Name and network come
 * last, behind the other parameters in the order of the interface; unknown ones at the very end. What a scanner makes of
 * the values of an older release is not considered.
 * @param values by the names of the parameters
 * @param now the values of the scanner, by the names of `parametersIn`
 */
export function plannedChanges(
  values: ReadonlyMap<string, unknown>,
  now: ReadonlyMap<string, unknown>,
  options: PlanOptions = {},
): readonly PlannedParameter[] {
  return [...values]
    .map(([name, to]) => planned(name, to, now, options))
    .toSorted((one, other) => placeOf(one) - placeOf(other));
}

function planned(
  inFile: string,
  json: unknown,
  now: ReadonlyMap<string, unknown>,
  options: PlanOptions,
): PlannedParameter {
  const variable = known.get(inFile);
  const name = variable === undefined ? inFile : wireName(variable);
  const to = variable === undefined ? json : variable.migrated(json);
  const from = now.get(name);
  const facts = { name, variable, from, to };
  if (variable !== undefined && from !== undefined && sameValue(variable, from, to)) {
    return { ...facts, act: 'same', skipped: undefined, detail: '' };
  }
  const [skipped, detail = ''] = obstacle(variable, from, to, options);
  return { ...facts, act: skipped === undefined ? 'write' : 'skip', skipped, detail };
}

/** Why a parameter is not written, with the detail; empty if it is written. */
function obstacle(
  variable: Variable<unknown> | undefined,
  from: unknown,
  to: unknown,
  { level, keeps = [] }: PlanOptions,
): readonly [SkipReason?, string?] {
  if (variable === undefined) return ['unknown'];
  if (from === undefined) return ['missing'];
  const { write } = variable.facts;
  if (write === undefined) return ['read-only'];
  const part = ownPartOf(variable);
  if (part !== undefined && keeps.includes(part)) return ['own'];
  const fault = faultOf(variable, to);
  if (fault !== undefined) return ['not allowed', fault];
  if (level !== undefined && !reaches(level, write)) return ['level', write];
  return [];
}

/** Do two JSON values mean the same to a variable? A scanner may complete a value, and round it to its type. */
export function sameValue({ type, name }: Variable<unknown>, one: unknown, other: unknown): boolean {
  if (sameJson(one, other)) return true;
  try {
    return sameJson(type.fromJson(one, name), type.fromJson(other, name));
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

function faultOf(variable: Variable<unknown>, json: unknown): string | undefined {
  try {
    variable.valueFrom(json);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

function placeOf({ variable }: PlannedParameter): number {
  if (variable === undefined) return Number.POSITIVE_INFINITY;
  const place = order.get(variable) ?? order.size;
  return ownPartOf(variable) === undefined ? place : order.size + 1 + place;
}

/** The name of a parameter as it is read and written: extensions have a prefix. */
export function wireName(variable: Variable<unknown>): string {
  return extensions.has(variable) ? extensionPrefix + variable.name : variable.name;
}

/** What became of one parameter. */
export interface WrittenParameter {
  readonly name: string;
  readonly outcome: /** It has the value now. */
    | 'written'
    /** The scanner did not take the value. */
    | 'refused'
    /** It was sent, but no answer came: it may be written or not. */
    | 'unanswered'
    /** It was not sent. */
    | 'left';
  /** Why it is not written; empty if it is. */
  readonly reason: string;
  /** What went wrong with it; undefined if it is written, or was not sent. */
  readonly error?: ClientError;
}

export interface WriteOptions {
  /** Called with the number of answered parameters, their number in all, and the name of the next one. */
  readonly onProgress?: ((done: number, total: number, next: string) => void) | undefined;
  /** Stops behind the parameter that is being written. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes parameters one after the other, and tells for each of them what became of it. It goes on if the scanner refuses a
 * value, and writes that one again behind the others: ports, for example, may be exchanged with each other. It stops
 * if the scanner is gone or refuses the login. It does not save.
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
      results.set(name, { name, outcome: outcomeOf(error), reason: error.message, error });
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

function outcomeOf(error: ClientError): WrittenParameter['outcome'] {
  if (error instanceof ScannerError) return 'refused';
  return error instanceof PasswordMissingError || error instanceof RateLimitError ? 'left' : 'unanswered';
}

/** Does a refusal concern this value, and not the login or the scanner? */
function concernsValue(error: ClientError): boolean {
  return (
    error instanceof ScannerError &&
    error.statusName !== 'accessDenied' &&
    error.statusName !== 'internalServerError'
  );
}
