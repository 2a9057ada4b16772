import { Mutex, pause } from '@azimuth/async';
import { ClientError, currentValues, NoEventsError } from '@azimuth/client';
import { extensionPrefix, type KnownInterface, sameJson } from '@azimuth/model';
import type { Parameter } from '@foxglove/ws-protocol';
import type { BridgedScanner } from '../scanners/bridged-scanner.js';
import { WhileWanted } from '../scanners/while-wanted.js';
import { flattened, parameterPath, withMember } from './parameter-names.js';

/** Time in ms between two reads of a scanner that does not push changes. */
const readInterval = 200;

/** What a request to set parameters has done. */
export interface SetResult {
  /** The parameters that were named, as they are now. */
  readonly parameters: readonly Parameter[];
  /** A line for each variable that was not written. */
  readonly refused: readonly string[];
}

export interface ScannerParametersOptions {
  readonly scanner: BridgedScanner;
  /** Gets parameters that have changed. */
  readonly onChanged: (parameters: readonly Parameter[]) => void;
  /** Told why changes are not noticed; undefined if they are. */
  readonly onState: (failure: string | undefined) => void;
}

/**
 * The variables of a scanner as parameters of Foxglove: all that everybody may read, and of the additions of Azimuth those
 * that are settings. Changes are noticed while somebody follows them: pushed by scanners that push all of them, else events
 * are pushed and the other variables are read one after the other.
 */
export class ScannerParameters {
  readonly #options: ScannerParametersOptions;
  readonly #prefix: string;
  readonly #writes = new Mutex();
  readonly #following: WhileWanted;
  #allValues: Promise<readonly Parameter[]> | undefined;

  constructor(options: ScannerParametersOptions) {
    const { name } = options.scanner;
    this.#options = options;
    this.#prefix = name === '' ? '' : `${name}/`;
    this.#following = new WhileWanted({
      work: (signal, works) => this.#follow(signal, works),
      onState: options.onState,
    });
  }

  /** True if this is the name of a parameter of this scanner. */
  owns(name: string): boolean {
    return name.startsWith(this.#prefix);
  }

  /** Follows changes from now on. @returns ends that */
  follow(): () => void {
    return this.#following.want();
  }

  /** Reads all parameters. Requests at the same time share the reads. @throws ClientError */
  async all(): Promise<readonly Parameter[]> {
    this.#allValues ??= this.#readAll().finally(() => {
      this.#allValues = undefined;
    });
    return this.#allValues;
  }

  /** Reads parameters. Those that the scanner does not have are left out. @throws ClientError */
  async read(names: readonly string[]): Promise<readonly Parameter[]> {
    const wanted = new Set(names);
    const known = await this.#known();
    const variables = this.#variablesOf(names).filter((name) => known.variable(name) !== undefined);
    return (await this.#values(variables, known)).filter((parameter) => wanted.has(parameter.name));
  }

  /** Writes parameters, at the level of the login. Members of one structure are written together. */
  set(parameters: readonly Parameter[]): Promise<SetResult> {
    return this.#writes.run(() => this.#set(parameters));
  }

  async close(): Promise<void> {
    await this.#following.close();
  }

  async #set(parameters: readonly Parameter[]): Promise<SetResult> {
    const refused: string[] = [];
    for (const variable of this.#variablesOf(parameters.map(({ name }) => name))) {
      const ofVariable = parameters.filter(({ name }) => this.#path(name).variable === variable);
      try {
        await this.#write(variable, ofVariable);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        refused.push(`${this.#prefix}${variable} was not set: ${error.message}`);
      }
    }
    const now = await this.read(parameters.map(({ name }) => name)).catch((error: unknown) => {
      if (!(error instanceof ClientError)) throw error;
      refused.push(error.message);
      return [];
    });
    return { parameters: now, refused };
  }

  /** @throws Error that says why the variable was not written */
  async #write(variable: string, parameters: readonly Parameter[]): Promise<void> {
    const { login, scanner: reader } = this.#options.scanner;
    if (login === undefined) throw new Error('the bridge has no login. Start it with AZIMUTH_PASSWORD');
    if ((await this.#known()).variable(variable) === undefined)
      throw new Error('the scanner has no such variable');
    let value: unknown;
    const isWhole = parameters.every(({ name }) => this.#path(name).members.length === 0);
    if (!isWhole) value = await reader.readAny(variable);
    for (const parameter of parameters) {
      value = withMember(value, this.#path(parameter.name).members, parameter.value);
      if (value === undefined) throw new Error(`it has no value or no member for ${parameter.name}`);
    }
    await login.use((writer) => writer.writeAny(variable, value));
  }

  #path(name: string) {
    return parameterPath(name.slice(this.#prefix.length));
  }

  #variablesOf(names: readonly string[]): readonly string[] {
    return [...new Set(names.filter((name) => this.owns(name)).map((name) => this.#path(name).variable))];
  }

  #known(): Promise<KnownInterface> {
    return this.#options.scanner.scanner.description.whole();
  }

  async #readAll(): Promise<readonly Parameter[]> {
    const known = await this.#known();
    const readable = known.named.filter(
      ({ name, variable }) =>
        !known.lacks(name) &&
        variable.facts.secret !== true &&
        (variable.stored || !name.startsWith(extensionPrefix)),
    );
    return this.#values(
      readable.map(({ name }) => name),
      known,
    );
  }

  async #values(variables: readonly string[], known: KnownInterface): Promise<readonly Parameter[]> {
    const values = await currentValues(this.#options.scanner.scanner, variables);
    return [...values].flatMap(([name, value]) => this.#parameters(name, value, known));
  }

  #parameters(name: string, value: unknown, known: KnownInterface): readonly Parameter[] {
    return flattened(`${this.#prefix}${name}`, value, known.variable(name)?.type.shape);
  }

  async #follow(signal: AbortSignal, works: () => void): Promise<void> {
    const { scanner, onChanged } = { ...this.#options, ...this.#options.scanner };
    const known = await this.#known();
    const onState = (state: string) => {
      if (state !== 'lost') works();
    };
    try {
      for await (const { changed } of scanner.changes({ signal, onState, reconnect: false })) {
        onChanged(Object.entries(changed).flatMap(([name, value]) => this.#parameters(name, value, known)));
      }
    } catch (error) {
      if (!(error instanceof NoEventsError)) throw error;
      works();
      await Promise.all([this.#followEvents(signal, known), this.#readInTurn(signal, known)]);
    }
  }

  /** Follows the events that the scanner has. */
  async #followEvents(signal: AbortSignal, known: KnownInterface): Promise<void> {
    const { scanner, onChanged } = { ...this.#options, ...this.#options.scanner };
    const names = known.events.map(({ name }) => name).filter((name) => !known.lacks(name));
    try {
      const events = scanner.eventsAny(names, { signal, throttle: 1000, onMissing: () => undefined });
      for await (const { event, data } of events) onChanged(this.#parameters(event, data, known));
    } catch (error) {
      // A release without events: the variables are read.
      if (!(error instanceof NoEventsError)) throw error;
    }
  }

  async #readInTurn(signal: AbortSignal, known: KnownInterface): Promise<void> {
    const { scanner, onChanged } = { ...this.#options, ...this.#options.scanner };
    const names = known.variables.map(({ name }) => name).filter((name) => !known.lacks(name));
    const last = new Map<string, unknown>();
    while (!signal.aborted) {
      for (const name of names) {
        await pause(readInterval, signal);
        if (signal.aborted) return;
        const value = (await currentValues(scanner, [name])).get(name);
        if (value === undefined) continue;
        if (last.has(name) && !sameJson(last.get(name), value))
          onChanged(this.#parameters(name, value, known));
        last.set(name, value);
      }
    }
  }
}
