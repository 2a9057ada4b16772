import {
  type Declaration,
  type Endpoint,
  extensionPrefix,
  Method,
  type MethodHook,
  type Product,
  type ProductScanner,
  Refusal,
  Variable,
} from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import type { Computed, Feature, Performed, Setter } from '../feature.js';
import type { Identity } from '../identity/identity.js';
import type { Clock } from '../interfaces/environment.js';
import type { Conditions } from '../lifecycle/conditions.js';
import { errorMessage, RecurringError } from '../lifecycle/unexpected-errors.js';
import type { ParameterReader, Parameters } from '../parameters/parameters.js';
import type { RecentLog } from '../recent-log.js';
import { limited, OwnVariable } from './own-variable.js';

interface Options {
  readonly product: Product;
  readonly identity: Identity;
  readonly clock: Clock;
  readonly log: RecentLog;
  readonly conditions: Conditions;
  readonly announcements: Announcements;
  readonly parameters: Parameters;
  readonly served: {
    readonly current: {
      readonly endpoints: ReadonlyMap<string, Endpoint>;
      readonly extensions: ReadonlyMap<string, Variable<unknown>>;
    };
  };
  /** Reads variables, computed ones included. */
  readonly variables: ParameterReader;
}

/** The own variables and methods of a product: their hooks, and its life from boot to boot. */
export class OwnMembers implements Feature {
  readonly computed: readonly Computed[];
  readonly methods: readonly Performed[];
  readonly setters: readonly Setter[];
  readonly #options: Options;
  readonly #scanner: ProductScanner;
  readonly #told: readonly OwnVariable[];
  readonly #startError: RecurringError;
  #isUp = false;
  /** Number of times that the scanner went down. */
  #downs = 0;
  #stop: (() => unknown) | undefined;

  constructor(options: Options) {
    this.#options = options;
    const { product, parameters, announcements } = options;
    this.#scanner = this.#scannerOf(options);
    this.#startError = new RecurringError(options, 'start of the product');
    const declared = new Map(product.groups.flatMap(({ members }) => Object.entries(members)));
    const sources = new Map<string, Declaration>(declared);
    for (const one of product.extensions) sources.set(extensionPrefix + one.name, one);
    const own = [...product.hooks].flatMap(([name, hooks]) => {
      const variable = declared.get(name);
      if (!(variable instanceof Variable)) return [];
      return [new OwnVariable(variable, hooks, { ...options, scanner: this.#scanner })];
    });
    const isComputed = ({ hooks }: OwnVariable) => hooks.computed !== undefined;
    this.computed = own.filter(isComputed).map((one) => ({
      variable: one.variable,
      value: () => one.value,
      from: (one.hooks.from ?? []).flatMap((name) => {
        const source = sources.get(name);
        return source instanceof Variable ? [source] : [];
      }),
    }));
    this.setters = own
      .filter((one) => isComputed(one) && one.hooks.written !== undefined)
      .map((one) => ({ variable: one.variable, set: (value) => this.#set(one, value) }));
    const stored = own.filter((one) => !isComputed(one));
    for (const one of stored) {
      if (one.hooks.refuses === undefined) continue;
      parameters.onChanging([one.variable], (change) => one.check(change.read(one.variable)));
    }
    this.#told = stored.filter(({ hooks }) => hooks.written !== undefined);
    for (const one of this.#told) {
      announcements.subscribeTo([one.variable], () =>
        this.#isUp ? one.tell(parameters.read(one.variable)) : undefined,
      );
    }
    this.methods = [...declared.values()]
      .filter((one) => one instanceof Method)
      .flatMap((method) => {
        const called = product.methods.get(method.name);
        return called === undefined ? [] : [this.#performed(method, called)];
      });
  }

  boot(): void {
    this.#isUp = true;
    this.#startError.reset();
    this.#start();
    const { parameters } = this.#options;
    for (const one of this.#told) {
      if (parameters.has(one.variable)) void one.tell(parameters.read(one.variable));
    }
  }

  down(): void {
    this.#isUp = false;
    this.#downs++;
    const stop = this.#stop;
    this.#stop = undefined;
    this.#end(stop);
  }

  #start(): void {
    const failed = (error: unknown) =>
      this.#startError.failed('The product could not start', errorMessage(error));
    try {
      const stop = this.#options.product.start?.(this.#scanner);
      if (!(stop instanceof Promise)) {
        this.#stop = isFunction(stop) ? stop : undefined;
        return;
      }
      const boot = this.#downs;
      stop.then(
        (later: unknown) => {
          if (!isFunction(later)) return;
          if (this.#downs === boot) this.#stop = later;
          else this.#end(later);
        },
        (error: unknown) => (this.#downs === boot ? failed(error) : undefined),
      );
    } catch (error) {
      failed(error);
    }
  }

  #end(stop: (() => unknown) | undefined): void {
    const failed = (error: unknown) =>
      this.#options.log.error('The product could not stop', { reason: errorMessage(error) });
    try {
      const stopped = stop?.();
      if (stopped instanceof Promise) stopped.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  #set(own: OwnVariable, value: unknown): Promise<unknown> | undefined {
    const { announcements } = this.#options;
    const effect = own.write(value);
    if (effect === undefined) return announcements.changed([own.variable]);
    return effect.then(() => announcements.changed([own.variable]));
  }

  #performed(method: Method<unknown, unknown>, called: MethodHook): Performed {
    const respond = (result: unknown) => {
      try {
        return method.response.fromJson(result ?? {}, method.name);
      } catch (error) {
        // Its status would say that the request is wrong.
        throw new Error(`the product returned an invalid response: ${errorMessage(error)}`, { cause: error });
      }
    };
    return {
      method,
      perform: (json) => {
        const request = new Map(Object.entries(Object(method.request.fromJson(json, ''))));
        const result = called(Object.fromEntries(request), this.#scanner);
        if (!(result instanceof Promise)) return respond(result);
        return limited(result, method.name, this.#options.clock).then(respond);
      },
    };
  }

  #scannerOf({ identity, log, announcements, variables }: Options): ProductScanner {
    const named = (name: string): Variable<unknown> => {
      const { endpoints, extensions } = this.#options.served.current;
      const found = name.startsWith(extensionPrefix)
        ? extensions.get(name.slice(extensionPrefix.length))
        : endpoints.get(name);
      if (found instanceof Variable) return found;
      throw new TypeError(`the scanner has no variable ${name}`);
    };
    return {
      serialNumber: identity.serialNumber,
      log,
      read: (name) => variables.read(named(name)),
      changed: (...names) => void announcements.changed(names.map(named)),
      refuse: (reason) => {
        throw new Refusal('illegalValue', '', reason);
      },
    };
  }
}

function isFunction(value: unknown): value is () => unknown {
  return typeof value === 'function';
}
