import { type BodyBounds, boundsOfShape, boundsOfValue } from './body-bounds.js';
import { isObject, type Level, type Refusal } from './envelope.js';
import { type Edition, hasAllOf, isFrom, type Release, type Variant } from './release.js';
import { type Members, type StructOf, struct } from './types/struct.js';
import type { ValueType } from './types/value-type.js';

/** What LoadApplicationDefaults resets (`application`) and what it leaves alone (`device`). */
export type Section = 'device' | 'application';

/** A table for people: what each value of a variable means, if the names do not say it. */
export interface ValueTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** A sentence below it. */
  readonly note: string;
}

/** Facts that every part of the interface may state. */
export interface CommonFacts {
  /** One line for a person: what it is for. */
  readonly text: string;
  /** The first release that has it; all of them by default. */
  readonly since?: Release;
  /** The first release that does not have it any more. */
  readonly until?: Release;
  /** The least equipped variant that has it; the group's by default. */
  readonly variant?: Variant;
}

/** What a group states for all its members. */
export interface GroupFacts {
  /** `device` by default. */
  readonly section?: Section;
  /** The least equipped variant that has the group; all of them have it by default. */
  readonly variant?: Variant;
}

/** Where a scanner comes from, as far as factory values depend on it. */
export interface Provenance {
  /** The release that it runs. */
  readonly release: Release;
  /** The release that it was delivered with; updates never change it. */
  readonly createdWith: Release;
}

/** A part of a value that a telegram of the legacy protocol carries when it writes the variable. */
export interface WrittenPart<T> {
  readonly type: ValueType<T>;
  /** The whole value. @param now the present one */
  over(written: T, now: T): T;
}

export interface VariableFacts<T = unknown> extends CommonFacts {
  /** The lowest level that may write it; read-only by default. */
  readonly write?: Level;
  /** The value with which a scanner works that does not have it; that of the type by default. */
  readonly withoutIt?: T;
  /** The group's section by default. */
  readonly section?: Section;
  /** Does it belong to the parameter set? By default only what is writable does. */
  readonly stored?: boolean;
  readonly unit?: string;
  /** The unit of each member that has one, by its name, if `unit` is not the unit of every number. */
  readonly units?: Readonly<Record<string, string>>;
  /** Why a scanner refuses a value that its type allows: members that do not go together. */
  refuses?(value: T, at: string): Refusal | undefined;
  /** What a JSON value that was stored when more was allowed means now; any other as it is. */
  migrates?(json: unknown): unknown;
  /** Does it belong to one scanner alone, as its name and its address? Others must not get the same value unawares. */
  readonly ofOneScanner?: boolean;
  /** Why a value that a scanner takes is probably a slip, in words for the person who typed it. */
  doubts?(value: T): string | undefined;
  readonly values?: ValueTable;
  /** The factory value, if it is not the type's default in every release. */
  readonly factory?: (scanner: Provenance) => T;
  /** What a telegram of the legacy protocol that writes it may carry, if that is not the whole value. */
  readonly written?: WrittenPart<T>;
  /** Other names under which it is served, in no description. */
  readonly aliases?: readonly string[];
}

/**
 * Who may call a method: everybody (`open`), everybody who logs in at an enabled level (`login`), or a level and
 * all above it.
 */
export type CallLevel = Level | 'open' | 'login';

export interface MethodFacts<Req extends Members, Res extends Members> extends CommonFacts {
  readonly level: CallLevel;
  /** The members of the request under `data`; none by default. */
  readonly request?: Req;
  /** Those of them that a caller may leave out. */
  readonly optional?: readonly (keyof Req & string)[];
  readonly response?: Res;
  /** Those of them that some devices leave out; clients take their default then. */
  readonly mayLack?: readonly (keyof Res & string)[];
  /** The response if the action was done. Any other response is a refusal. */
  readonly done?: Partial<StructOf<Res>>;
  /**
   * What a call loses for good, as the object of "loses": nothing brings it back, and the caller has sent nothing in its
   * place. Who calls the method for a person asks first.
   */
  readonly loses?: string;
  /** Does the scanner reboot afterwards? */
  readonly reboots?: boolean;
  /** The top-level member of the reply that carries the response; `data` by default. */
  readonly responseMember?: 'data' | 'challenge';
}

export abstract class Declaration {
  #name = '';
  #group = '';
  #groupFacts: GroupFacts = {};
  abstract readonly facts: CommonFacts;

  /** The name of the endpoint, and the key under `data`. */
  get name(): string {
    return this.#name;
  }

  /** The functional group of the specification. */
  get group(): string {
    return this.#group;
  }

  protected get groupSection(): Section {
    return this.#groupFacts.section ?? 'device';
  }

  /** The least equipped variant that has it; undefined if all have. */
  get variant(): Variant | undefined {
    return this.facts.variant ?? this.#groupFacts.variant;
  }

  /** Called once, by the group that declares it. The name is its key in the group. */
  register(name: string, group: string, facts: GroupFacts): void {
    this.#name = name;
    this.#group = group;
    this.#groupFacts = facts;
  }

  isIn(edition: Edition): boolean {
    const { since, until } = this.facts;
    if (this.variant !== undefined && !hasAllOf(edition.variant, this.variant)) return false;
    if (since !== undefined && !isFrom(edition.release, since)) return false;
    return until === undefined || !isFrom(edition.release, until);
  }
}

/** A value of the scanner that is read by its name, and written if it states a level. */
export class Variable<T> extends Declaration {
  readonly kind = 'variable';
  /** Can clients subscribe to its changes (`/apievents`)? */
  readonly isEvent: boolean = false;
  #bodyBounds: BodyBounds | undefined;

  constructor(
    readonly type: ValueType<T>,
    override readonly facts: VariableFacts<T>,
  ) {
    super();
  }

  get section(): Section {
    return this.facts.section ?? this.groupSection;
  }

  get stored(): boolean {
    return this.facts.stored ?? this.facts.write !== undefined;
  }

  /**
   * The value that a JSON value stands for, as a scanner takes it: written, restored or stored before.
   * @throws Refusal of its type, then of what the type leaves open.
   */
  valueFrom(json: unknown, at = this.name): T {
    const value = this.type.fromJson(json, at);
    const fault = this.facts.refuses?.(value, at);
    if (fault !== undefined) throw fault;
    return value;
  }

  /**
   * A JSON value of a stored document or a backup, as what it means now. Like one that is written, it is still to be checked
   * by `valueFrom`.
   */
  migrated(json: unknown): unknown {
    return this.facts.migrates === undefined ? json : this.facts.migrates(json);
  }

  /**
   * The unit of a number of its value.
   * @param member the name of the member that holds the number; empty if the value is the number
   */
  unitOf(member: string): string | undefined {
    const { unit, units } = this.facts;
    return units === undefined ? unit : units[member];
  }

  /** How large the body of a POST that writes it may be. */
  get bodyBounds(): BodyBounds {
    this.#bodyBounds ??= boundsOfValue(this.type.shape);
    return this.#bodyBounds;
  }

  /** The value with which a scanner works that does not have it. */
  get valueWithoutIt(): T {
    return this.facts.withoutIt ?? this.type.initial;
  }

  /** The value that a scanner leaves the factory with, and takes again on LoadFactoryDefaults. */
  factoryValue(scanner: Provenance): T {
    return this.facts.factory === undefined ? this.type.initial : this.facts.factory(scanner);
  }
}

/** A variable whose changes are pushed to the clients that subscribe to them. */
export class EventVariable<T> extends Variable<T> {
  override readonly isEvent = true;
}

/** An act of the scanner that is called by its name. */
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

  /** What a call loses for good, as a sentence; undefined if it loses nothing. */
  get loss(): string | undefined {
    const { loses } = this.facts;
    return loses === undefined ? undefined : `Loses ${loses}, for good.`;
  }

  /** Whether the reply contains anything in addition to its header. */
  get hasResponse(): boolean {
    return this.facts.response !== undefined;
  }

  /**
   * Why the call was refused: the member of the response that says so, and its value, as in `result 2 NOT_ACCEPTED`.
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

  /** A response as a device sends it, with the defaults of members that some devices leave out. */
  completed(json: unknown): unknown {
    const { mayLack = [], response = {} } = this.facts;
    if (mayLack.length === 0 || !isObject(json)) return json;
    const defaults = mayLack.map((name) => [name, response[name]?.initial]);
    return { ...Object.fromEntries(defaults), ...json };
  }

  get hasRequest(): boolean {
    return this.facts.request !== undefined;
  }

  /** How large the body of a POST that calls it may be. */
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

/** One of the 24 functional groups with what it declares. */
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

/** What one verb of a file takes or gives. */
export interface FileTransfer {
  /** The media types of the body that is sent, any of them. */
  readonly accepts?: readonly string[];
  /** The name of the part that holds the file if the body is multipart/form-data. */
  readonly part?: string;
  /** The largest body, in bytes. */
  readonly maxBytes?: number;
  /** The media type of the reply. */
  readonly produces?: string;
  /** The query parameters; all of them are required. */
  readonly query?: readonly string[];
  /** The first release that asks for `X-Session-Token`; none does by default. */
  readonly tokenSince?: Release;
  readonly text: string;
}

export type FileVerb = 'GET' | 'PUT' | 'POST';

export interface FileFacts extends CommonFacts {
  readonly verbs: Readonly<Partial<Record<FileVerb, FileTransfer>>>;
}

/** A file that is transferred as it is, outside the JSON envelope; its failures are real HTTP statuses. */
export class FileEndpoint extends Declaration {
  readonly kind = 'file';

  constructor(override readonly facts: FileFacts) {
    super();
  }

  /** The verbs that it knows. */
  get verbs(): readonly FileVerb[] {
    const known: readonly FileVerb[] = ['GET', 'PUT', 'POST'];
    return known.filter((verb) => this.facts.verbs[verb] !== undefined);
  }

  /** Does this verb need a session token in this release (specification, Session token for binary transfers)? */
  needsToken(verb: FileVerb, release: Release): boolean {
    const since = this.facts.verbs[verb]?.tokenSince;
    return since !== undefined && isFrom(release, since);
  }
}

export function file(facts: FileFacts): FileEndpoint {
  return new FileEndpoint(facts);
}
