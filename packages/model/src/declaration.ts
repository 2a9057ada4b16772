import { type BodyBounds, boundsOfShape, boundsOfValue } from './body-bounds.js';
import { isObject, type Level, type Refusal } from './envelope.js';
import { type Equipment, hasAllOf, isFrom, type Release, type Variant } from './release.js';
import { type Members, type StructOf, struct } from './types/struct.js';
import type { ValueType } from './types/value-type.js';

/** Section of the parameters. LoadApplicationDefaults resets `application` and leaves `device` alone. */
export type Section = 'device' | 'application';

/** Table for people: the meaning of each value of a variable, if the names do not say it. */
export interface ValueTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Sentence below the table. */
  readonly note: string;
}

/** Facts that every part of the interface may state. */
export interface CommonFacts {
  /** Purpose of the part, in one line for a person. */
  readonly text: string;
  /** First release that has the part; all of them by default. */
  readonly since?: Release;
  /** First release that does not have the part any more. */
  readonly until?: Release;
  /** Least equipped variant that has the part; the group's by default. */
  readonly variant?: Variant;
}

/** Facts that a group states for all its members. */
export interface GroupFacts {
  /** `device` by default. */
  readonly section?: Section;
  /** Least equipped variant that has the group; all of them have it by default. */
  readonly variant?: Variant;
}

/** Origin of a scanner, as far as factory values depend on it. */
export interface Provenance {
  /** Release that the scanner runs. */
  readonly release: Release;
  /** Version of the firmware that runs, if the product has versions of its own. */
  readonly version?: string | undefined;
  /** Release that the scanner was delivered with; updates never change it. */
  readonly createdWith: Release;
}

/** Part of a value that a telegram of the legacy protocol carries when it writes the variable. */
export interface WrittenPart<T> {
  readonly type: ValueType<T>;
  /** Returns the complete value. @param now the current value */
  over(written: T, now: T): T;
}

export interface VariableFacts<T = unknown> extends CommonFacts {
  /** Lowest level that may write the variable; read-only by default. */
  readonly write?: Level;
  /**
   * Value that is used if the variant or the product does not have the variable; the default of the type by default.
   */
  readonly valueIfAbsent?: T;
  /** Section of the variable; the group's by default. */
  readonly section?: Section;
  /** True if the variable is a parameter. By default only writable variables are. */
  readonly stored?: boolean;
  readonly unit?: string;
  /** Unit of each member that has one, by its name, if `unit` is not the unit of every number. */
  readonly units?: Readonly<Record<string, string>>;
  /** Returns a refusal of a value that its type allows: its members do not fit each other. */
  refuses?(value: T, at: string): Refusal | undefined;
  /** Converts a JSON value that was stored under older rules to its present meaning. Other values stay unchanged. */
  migrates?(json: unknown): unknown;
  /**
   * True if the variable belongs to one scanner alone, as do its name and its address. It must not be copied to other
   * scanners unnoticed.
   */
  readonly ofOneScanner?: boolean;
  /** Returns the reason why a valid value is probably a typing mistake, for the person who typed it. */
  doubts?(value: T): string | undefined;
  /** True if a written value is a secret, which cannot be read again. It is in no log and in no journal. */
  readonly secret?: boolean;
  readonly values?: ValueTable;
  /** Returns the factory value, if it is not the default of the type in every release. */
  readonly factory?: (scanner: Provenance) => T;
  /** Part of the value that a telegram of the legacy protocol may write, if that is not the complete value. */
  readonly written?: WrittenPart<T>;
  /** Other names of the variable, in no description. */
  readonly aliases?: readonly string[];
}

/**
 * Level that may call a method: everybody (`open`), everybody who logs in at an enabled level (`login`), or a level and
 * all above it.
 */
export type CallLevel = Level | 'open' | 'login';

export interface MethodFacts<Req extends Members, Res extends Members> extends CommonFacts {
  readonly level: CallLevel;
  /** Members of the request under `data`; none by default. */
  readonly request?: Req;
  /** Members of the request that a caller may leave out. */
  readonly optional?: readonly (keyof Req & string)[];
  readonly response?: Res;
  /**
   * Members of the request or the response that are secrets: passwords, keys, what they are proved with, and what
   * stands for a login. They are in no log and in no journal.
   */
  readonly secrets?: readonly ((keyof Req | keyof Res) & string)[];
  /** Members of the response that some devices leave out. Clients then use their default. */
  readonly mayLack?: readonly (keyof Res & string)[];
  /** Response if the action was done. Any other response is a refusal. */
  readonly done?: Partial<StructOf<Res>>;
  /**
   * Data that a call loses for good, as a text that follows "loses". Nothing brings it back, and the request does not
   * replace it. A client that calls the method for a person asks first.
   */
  readonly loses?: string;
  /** True if the scanner reboots afterwards. */
  readonly reboots?: boolean;
  /** Top-level member of the envelope that carries the response; `data` by default. */
  readonly responseMember?: 'data' | 'challenge';
}

export abstract class Declaration {
  #name = '';
  #group = '';
  #groupFacts: GroupFacts = {};
  abstract readonly facts: CommonFacts;

  /** Name of the endpoint, and the key under `data`. */
  get name(): string {
    return this.#name;
  }

  /** Functional group of the specification. */
  get group(): string {
    return this.#group;
  }

  /** Facts of its group. */
  protected get groupFacts(): GroupFacts {
    return this.#groupFacts;
  }

  /** Least equipped variant that has the endpoint; undefined if all have. */
  get variant(): Variant | undefined {
    return this.facts.variant ?? this.#groupFacts.variant;
  }

  /** Registers the declaration in its group, once. @param name its key in the group */
  register(name: string, group: string, facts: GroupFacts): void {
    this.#name = name;
    this.#group = group;
    this.#groupFacts = facts;
  }

  isIn(edition: Equipment): boolean {
    const { since, until } = this.facts;
    if (edition.product?.lacks(this.name, edition.version) === true) return false;
    if (this.variant !== undefined && !hasAllOf(edition.variant, this.variant)) return false;
    if (since !== undefined && !isFrom(edition.release, since)) return false;
    return until === undefined || !isFrom(edition.release, until);
  }
}

/** Value of the scanner that is read by its name, and written if it states a level. */
export class Variable<T> extends Declaration {
  readonly kind = 'variable';
  /** True if clients can subscribe to its changes (`/apievents`). */
  readonly isEvent: boolean = false;
  #bodyBounds: BodyBounds | undefined;

  constructor(
    readonly type: ValueType<T>,
    override readonly facts: VariableFacts<T>,
  ) {
    super();
  }

  get section(): Section {
    return this.facts.section ?? this.groupFacts.section ?? 'device';
  }

  get stored(): boolean {
    return this.facts.stored ?? this.facts.write !== undefined;
  }

  /**
   * Returns the value that a JSON value stands for. The JSON is written, restored or was stored before.
   * @throws Refusal of its type, then of the rules that the type does not check.
   */
  valueFrom(json: unknown, at = this.name): T {
    const value = this.type.fromJson(json, at);
    const refusal = this.facts.refuses?.(value, at);
    if (refusal !== undefined) throw refusal;
    return value;
  }

  /**
   * Converts a JSON value of a stored document or a backup to its present meaning. Like a written value, it is still to
   * be checked by `valueFrom`.
   */
  migrated(json: unknown): unknown {
    return this.facts.migrates === undefined ? json : this.facts.migrates(json);
  }

  /**
   * Returns the unit of a number of its value.
   * @param member the name of the member that holds the number; empty if the value is the number
   */
  unitOf(member: string): string | undefined {
    const { unit, units } = this.facts;
    return units === undefined ? unit : units[member];
  }

  /** Returns the largest size of the body of a POST that writes the variable. */
  get bodyBounds(): BodyBounds {
    this.#bodyBounds ??= boundsOfValue(this.type.shape);
    return this.#bodyBounds;
  }

  /** Value that is used if a scanner does not have the variable. */
  get valueIfAbsent(): T {
    return this.facts.valueIfAbsent ?? this.type.initial;
  }

  /** Returns the factory value of the variable. LoadFactoryDefaults restores it. */
  factoryValue(scanner: Provenance): T {
    return this.facts.factory === undefined ? this.type.initial : this.facts.factory(scanner);
  }

  /** Returns the same variable with another type, or other facts. */
  redeclared({ type = this.type, facts = {} }: Redeclaration<T>): Variable<T> {
    const all = { ...this.facts, ...facts };
    const variable = this.isEvent ? new EventVariable(type, all) : new Variable(type, all);
    variable.register(this.name, this.group, this.groupFacts);
    return variable;
  }
}

/** What differs if a variable is declared again. */
export interface Redeclaration<T> {
  readonly type?: ValueType<T> | undefined;
  readonly facts?: Partial<VariableFacts<T>> | undefined;
}

/** Variable whose changes are pushed to the clients that subscribe to them. */
export class EventVariable<T> extends Variable<T> {
  override readonly isEvent = true;
}

/** Action of the scanner that is called by its name. */
export class Method<Req, Res> extends Declaration {
  readonly kind = 'method';
  #bodyBounds: BodyBounds | undefined;

  constructor(
    readonly request: ValueType<Req>,
    readonly response: ValueType<Res>,
    override readonly facts: MethodFacts<Members, Members>,
  ) {
    super();
  }

  /** Returns true if this member of the request or the response is a secret. */
  isSecret(member: string): boolean {
    return this.facts.secrets?.includes(member) === true;
  }

  /** True if the request or the response has members that are secrets. */
  get holdsSecrets(): boolean {
    return (this.facts.secrets ?? []).length > 0;
  }

  /** Sentence that names the data that a call loses for good; undefined if it loses nothing. */
  get loss(): string | undefined {
    const { loses } = this.facts;
    return loses === undefined ? undefined : `Loses ${loses}, for good.`;
  }

  /** True if the response contains anything in addition to its header. */
  get hasResponse(): boolean {
    return this.facts.response !== undefined;
  }

  /**
   * Returns the refusal in a response: the member that states it, and its value, as in `result 2 NOT_ACCEPTED`.
   * Undefined if the call was carried out. A response without the member is a refusal, too.
   */
  refusalIn(response: Readonly<Record<string, unknown>>): string | undefined {
    const { done = {} } = this.facts;
    const member = Object.keys(done).find((name) => response[name] !== done[name]);
    if (member === undefined) return undefined;
    const value = response[member];
    const { shape } = this.response;
    const values = shape.kind === 'struct' ? shape.members[member]?.shape : undefined;
    const name =
      values?.kind === 'enumeration'
        ? Object.keys(values.values).find((key) => values.values[key] === value)
        : undefined;
    return [member, value === undefined ? 'is missing' : JSON.stringify(value), name ?? '']
      .join(' ')
      .trimEnd();
  }

  /** Returns a response of a device, with the defaults of members that some devices leave out. */
  completed(json: unknown): unknown {
    const { mayLack = [], response = {} } = this.facts;
    if (mayLack.length === 0 || !isObject(json)) return json;
    const defaults = mayLack.map((name) => [name, response[name]?.initial]);
    return { ...Object.fromEntries(defaults), ...json };
  }

  get hasRequest(): boolean {
    return this.facts.request !== undefined;
  }

  /** Returns the largest size of the body of a POST that calls the method. */
  get bodyBounds(): BodyBounds {
    this.#bodyBounds ??= boundsOfShape(this.request.shape);
    return this.#bodyBounds;
  }
}

export function variable<T>(type: ValueType<T>, facts: VariableFacts<NoInfer<T>>): Variable<T> {
  return new Variable(type, facts);
}

export function event<T>(type: ValueType<T>, facts: VariableFacts<NoInfer<T>>): EventVariable<T> {
  return new EventVariable(type, facts);
}

type NoMembers = Readonly<Record<never, never>>;
type Req<M extends Members> = { readonly request: M };
type Res<M extends Members> = { readonly response: M };

export function method<const Q extends Members, const S extends Members>(
  facts: MethodFacts<Q, S> & Req<Q> & Res<S>,
): Method<StructOf<Q>, StructOf<S>>;
export function method<const Q extends Members>(
  facts: MethodFacts<Q, Members> & Req<Q> & { response?: never },
): Method<StructOf<Q>, NoMembers>;
export function method<const S extends Members>(
  facts: MethodFacts<Members, S> & Res<S> & { request?: never },
): Method<NoMembers, StructOf<S>>;
export function method(
  facts: MethodFacts<Members, Members> & { request?: never; response?: never },
): Method<NoMembers, NoMembers>;
export function method(facts: MethodFacts<Members, Members>): Method<unknown, unknown> {
  const { request = {}, response = {}, optional = [] } = facts;
  return new Method(struct(request, { optional }), struct(response), facts);
}

/** One of the 24 functional groups with its declarations. */
export interface Group<M> {
  readonly name: string;
  readonly members: M;
}

/** Declares a group: each member gets its key as its name. */
export function group<const M extends Readonly<Record<string, Declaration>>>(
  name: string,
  members: M,
  facts: GroupFacts = {},
): Group<M> {
  for (const [key, member] of Object.entries(members)) member.register(key, name, facts);
  return { name, members };
}

/** Request and response of one verb of a file. */
export interface FileTransfer {
  /** Accepted media types of the body. */
  readonly accepts?: readonly string[];
  /** Name of the part that holds the file if the body is multipart/form-data. */
  readonly part?: string;
  /** Size of the largest body, in bytes. */
  readonly maxBytes?: number;
  /** Media type of the response. */
  readonly produces?: string;
  /** Query parameters; all of them are required. */
  readonly query?: readonly string[];
  /** First release that requires `X-Session-Token`; none does by default. */
  readonly tokenSince?: Release;
  readonly text: string;
}

export type FileVerb = 'GET' | 'PUT' | 'POST';

export interface FileFacts extends CommonFacts {
  readonly verbs: Readonly<Partial<Record<FileVerb, FileTransfer>>>;
}

/** File that is transferred as it is, outside the JSON envelope. Its failures are HTTP statuses. */
export class FileEndpoint extends Declaration {
  readonly kind = 'file';

  constructor(override readonly facts: FileFacts) {
    super();
  }

  /** Verbs of the file. */
  get verbs(): readonly FileVerb[] {
    const known: readonly FileVerb[] = ['GET', 'PUT', 'POST'];
    return known.filter((verb) => this.facts.verbs[verb] !== undefined);
  }

  /**
   * Returns true if this verb needs a session token in this release (specification, Session token for binary
   * transfers).
   */
  needsToken(verb: FileVerb, release: Release): boolean {
    const since = this.facts.verbs[verb]?.tokenSince;
    return since !== undefined && isFrom(release, since);
  }
}

export function file(facts: FileFacts): FileEndpoint {
  return new FileEndpoint(facts);
}
