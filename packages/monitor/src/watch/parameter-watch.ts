import {
  completed,
  type ParameterValues,
  parameterNamed,
  parameterNames,
  partDifferences,
} from '@azimuth/client';
import { extensionPrefix, sameJson, type Variable } from '@azimuth/model';
import { type AskedScanner, checkedReading, isSilence, type Reading, readVariable } from './reading.js';

/** Number of parameters that are read at once, one after the other. */
const piece = 8;

/** Pause (ms) between two pieces of a round that is wanted soon. */
const soon = 1000;

/**
 * Time (ms) after a save in which another save may follow that nobody can see: LastParaTime has whole minutes. What
 * changes meanwhile counts as saved.
 */
const unseenSaves = 65_000;

/** A parameter has another value than when it was last read. */
export interface ParameterChange {
  /** Path of the changed part: `ScanDataEthSettings.Port`. */
  readonly parameter: string;
  readonly before: unknown;
  readonly after: unknown;
  /** When the value before was read last: milliseconds since 1970-01-01 UTC. */
  readonly unchangedAt: number | undefined;
}

/** What a piece has brought. */
export interface Piece {
  readonly changes: readonly ParameterChange[];
  /** Parameters that were answered. */
  readonly answered: readonly string[];
  /** Those of them that were answered with something that the interface does not allow. */
  readonly malformed: readonly string[];
  /** Why the others were not: the scanner does not answer. */
  readonly failure: Error | undefined;
}

/** What is known of the parameters of a scanner. */
export interface KnownParameters {
  readonly parameters: ParameterValues;
  readonly stored: ParameterValues;
  readonly unsavedSince: number | undefined;
}

/** Reads all parameters of one scanner in rounds, piece by piece, and notices what has changed. */
export class ParameterWatch {
  readonly #scanner: AskedScanner;
  /** Milliseconds from the begin of a round to the begin of the next one. */
  readonly #every: number;
  readonly #names: readonly string[];
  readonly #working: Map<string, unknown>;
  readonly #stored: Map<string, unknown>;
  readonly #missing = new Set<string>();
  /** When each parameter was read last: milliseconds since 1970-01-01 UTC. */
  readonly #readAt: Map<string, number>;
  /** Names that the round has not read yet. */
  #left: readonly string[] = [];
  #roundBegan = 0;
  #isHurried = true;
  #nextPiece = 0;
  /** When a round has to begin early: milliseconds since 1970-01-01 UTC. */
  #wantedAt: number | undefined;
  /** While it is set, what is read is also the stored value: until the end of a round that begins then or later. */
  #storedUntil: number | undefined;
  #unsaved: readonly string[] = [];
  #unsavedSince: number | undefined;
  #version = 0;

  /** @param also names of further parameters, for example of a site file */
  constructor(
    scanner: AskedScanner,
    options: {
      readonly seconds: number;
      readonly also: readonly string[];
      readonly known: KnownParameters;
      /** When `known` was written: its values were read up to two rounds earlier. */
      readonly knownAt?: number | undefined;
    },
  ) {
    const { seconds, also, known } = options;
    this.#scanner = scanner;
    this.#every = seconds * 1000;
    const own = parameterNames.filter((name) => !name.startsWith(extensionPrefix));
    this.#names = [...new Set([...own, ...also.filter((name) => parameterNamed(name) !== undefined)])];
    this.#working = new Map(known.parameters);
    this.#stored = new Map(known.stored);
    const readAt = (options.knownAt ?? 0) - 2 * this.#every;
    this.#readAt = new Map([...known.parameters.keys()].map((name) => [name, readAt]));
    this.#unsaved = differences(this.#stored, this.#working);
    this.#unsavedSince = known.unsavedSince;
  }

  get known(): KnownParameters {
    return { parameters: this.#working, stored: this.#stored, unsavedSince: this.#unsavedSince };
  }

  /** True if each parameter that the scanner has was read at least once. */
  get isComplete(): boolean {
    return this.#names.every((name) => this.#working.has(name) || this.#missing.has(name));
  }

  /** When the next piece is due: milliseconds since 1970-01-01 UTC. */
  get due(): number {
    return this.#wantedAt === undefined ? this.#nextPiece : Math.min(this.#wantedAt, this.#nextPiece);
  }

  /** Paths of parameters whose working value is not stored. */
  get unsaved(): readonly string[] {
    return this.#unsaved;
  }

  /** True if no part of a round is left to be read. */
  get isRoundOver(): boolean {
    return this.#left.length === 0;
  }

  /** Grows with each value that becomes known or changes. */
  get version(): number {
    return this.#version;
  }

  /**
   * Paths of parameters that differ from the expected values. Undefined until all of them were read.
   * @param expected JSON values. Members of structs may be left out: any value is right there
   */
  drift(expected: ParameterValues): readonly string[] | undefined {
    if (!this.isComplete) return undefined;
    return differences(this.#completed(expected), this.#working);
  }

  /** The scanner has saved its parameters: what is read from now on is stored. */
  saved(now: number): void {
    this.#storedUntil = now + unseenSaves;
    this.#hurry(now);
  }

  /** The scanner has booted: its working values are the stored ones. */
  booted(now: number): void {
    this.#storedUntil = Math.max(now, this.#storedUntil ?? 0);
    this.#missing.clear();
    this.#hurry(now);
  }

  /** The clock was set back by this many milliseconds. */
  setBack(by: number): void {
    this.#nextPiece -= by;
    this.#roundBegan -= by;
    if (this.#wantedAt !== undefined) this.#wantedAt -= by;
    if (this.#storedUntil !== undefined) this.#storedUntil -= by;
    if (this.#unsavedSince !== undefined) this.#unsavedSince -= by;
    for (const [name, at] of this.#readAt) this.#readAt.set(name, at - by);
  }

  /** Reads the next piece. */
  async read(now: number): Promise<Piece> {
    this.#beginRound(now);
    const changes: ParameterChange[] = [];
    const answered: string[] = [];
    const malformed: string[] = [];
    let failure: Error | undefined;
    for (const name of this.#left.slice(0, piece)) {
      const variable = parameterNamed(name);
      const reading = variable && (await this.#readingOf(name, variable));
      if (reading instanceof Error) {
        failure = reading;
        break;
      }
      answered.push(name);
      this.#left = this.#left.filter((other) => other !== name);
      if (variable === undefined || reading === undefined) continue;
      if (reading.is === 'missing') this.#missing.add(name);
      if (reading.is === 'malformed') malformed.push(name);
      if (reading.is === 'value') changes.push(...this.#accept(name, variable, reading.value, now));
    }
    this.#plan(now);
    this.#unsaved = differences(this.#stored, this.#working);
    this.#unsavedSince = this.#unsaved.length > 0 ? (this.#unsavedSince ?? now) : undefined;
    return { changes, answered, malformed, failure };
  }

  async #readingOf(name: string, variable: Variable<unknown>): Promise<Reading | Error> {
    try {
      return await readVariable(this.#scanner, { name, variable });
    } catch (error) {
      if (isSilence(error)) return error;
      throw error;
    }
  }

  #accept(
    name: string,
    variable: Variable<unknown>,
    value: unknown,
    now: number,
  ): readonly ParameterChange[] {
    const unchangedAt = this.#readAt.get(name);
    this.#readAt.set(name, now);
    const isNew = !this.#working.has(name);
    const before = this.#working.get(name);
    const isStored = this.#storedUntil !== undefined || !this.#stored.has(name);
    if (isStored && !sameJson(this.#stored.get(name), value)) this.#set(this.#stored, name, value);
    if (!isNew && sameJson(before, value)) return [];
    this.#set(this.#working, name, value);
    if (isNew) return [];
    return partDifferences(variable.type.shape, name, before, value).map(({ path, from, to }) => ({
      parameter: path,
      before: from,
      after: to,
      unchangedAt,
    }));
  }

  #set(values: Map<string, unknown>, name: string, value: unknown): void {
    values.set(name, value);
    this.#version++;
  }

  #hurry(now: number): void {
    this.#wantedAt = now;
    this.#left = [];
  }

  #beginRound(now: number): void {
    const isWanted = this.#wantedAt !== undefined && now >= this.#wantedAt;
    if (this.#left.length > 0 && !isWanted) return;
    this.#isHurried = isWanted || !this.isComplete;
    this.#left = this.#names.filter((name) => !this.#missing.has(name));
    this.#roundBegan = now;
    if (isWanted) this.#wantedAt = undefined;
  }

  /** Plans the next piece: at once if it is wanted soon, otherwise spread over the time of a round. */
  #plan(now: number): void {
    if (this.#left.length > 0) {
      const pieces = Math.ceil(this.#names.length / piece);
      this.#nextPiece = now + (this.#isHurried ? soon : Math.max(soon, this.#every / pieces));
      return;
    }
    this.#endRound(now);
  }

  #endRound(now: number): void {
    const pieces = Math.ceil(this.#names.length / piece);
    this.#nextPiece = Math.max(now, this.#roundBegan) + this.#every / pieces;
    if (this.#storedUntil === undefined) return;
    if (this.#roundBegan < this.#storedUntil) this.#wantedAt = this.#storedUntil;
    else this.#storedUntil = undefined;
  }

  #completed(expected: ParameterValues): ParameterValues {
    return new Map(
      [...expected].flatMap(([name, value]): [string, unknown][] => {
        const variable = parameterNamed(name);
        if (variable === undefined || this.#missing.has(name)) return [];
        return [[name, normal(variable, completed(variable.type.shape, value, this.#working.get(name)))]];
      }),
    );
  }
}

/** Returns the paths of what differs in parameters that both sides have. */
function differences(from: ParameterValues, to: ParameterValues): readonly string[] {
  return [...from].flatMap(([name, value]) => {
    const variable = parameterNamed(name);
    if (variable === undefined || !to.has(name)) return [];
    return partDifferences(variable.type.shape, name, value, to.get(name)).map(({ path }) => path);
  });
}

/** Returns a value as a scanner would answer it, so that 0.1 and its nearest float are the same. */
function normal(variable: Variable<unknown>, value: unknown): unknown {
  const reading = checkedReading(variable, value);
  return reading.is === 'value' ? reading.value : value;
}
