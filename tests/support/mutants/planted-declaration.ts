import {
  type DeclarationMutant,
  type Declared,
  declarationChanges,
  type Fault,
} from '@azimuth/check/mutants';
import { isObject, type Status, type Variable } from '@azimuth/model';
import type { ModuleRegistry } from './module-registry.js';
import { InvalidMutant } from './mutant-text.js';

type Model = typeof import('@azimuth/model');
type Devices = typeof import('@azimuth/device/device');
type Access = Devices['Device']['prototype']['access'];

/** What is used of the module `response-bodies`, which its package keeps for itself. */
interface Answers {
  readonly PreparedReads: {
    readonly prototype: { of(variable: Variable<unknown>, name: string): { readonly text: string } };
  };
}

/** What is used of the module `access`. */
interface Logging {
  readonly Access: { readonly prototype: Access };
}

/** A fault in one declaration of a registry. */
export interface PlantedDeclaration {
  /** From now on, clients write and send: what the scanner itself converts while it starts is as ever. */
  scannerStarted(): void;
  /** Takes the fault out again. */
  [Symbol.dispose](): void;
}

/** The places of a registry where faults are planted. */
interface Places {
  readonly model: Model;
  readonly reads: Answers['PreparedReads']['prototype'];
  readonly device: Devices['Device']['prototype'];
  readonly access: Access;
}

/**
 * Plants a fault in the declaration of a registry: before a scanner of it starts, until it is taken out. Other scanners of the
 * registry have it, too.
 * @throws InvalidMutant for a declaration that is not there, or cannot have it
 */
export async function plantDeclaration(
  mutant: DeclarationMutant,
  registry: ModuleRegistry,
): Promise<PlantedDeclaration> {
  const places = await placesIn(registry);
  const declared = places.model.builtInInterface.endpoint(mutant.name);
  if (declared === undefined) throw new InvalidMutant(mutant, `there is no ${mutant.name}`);
  return planted(declared, faultOf(mutant, declared, places.model), places);
}

function faultOf(mutant: DeclarationMutant, declared: Declared, model: Model): Fault {
  try {
    return declarationChanges[mutant.change](declared, model);
  } catch (error) {
    throw error instanceof TypeError ? new InvalidMutant(mutant, error.message) : error;
  }
}

function planted(
  declared: Declared,
  fault: Fault,
  { model, reads, device, access }: Places,
): PlantedDeclaration {
  const undo: (() => void)[] = [];
  let isUp = false;
  const put = (object: object, name: string, value: unknown) => undo.push(replaced(object, name, value));
  const { fromJson, facts, serves, answers, declares = {}, forgives, admitsWithoutHeader } = fault;
  for (const [member, value] of Object.entries(declares)) put(declared, member, value);
  if (facts !== undefined) put(declared, 'facts', { ...declared.facts, ...facts });
  if (serves !== undefined) undo.push(servedOtherwise(device, serves));
  if (fromJson !== undefined) {
    const member = declared.kind === 'variable' ? 'type' : 'request';
    const type = declared.kind === 'variable' ? declared.type : declared.request;
    const converted = (json: unknown, at: string) => (isUp ? fromJson(json, at) : type.fromJson(json, at));
    put(declared, member, { ...type, fromJson: converted });
    put(declared, 'bodyBounds', { bytes: model.largestBody, depth: deepest });
  }
  if (answers !== undefined && declared.kind === 'variable')
    put(reads, 'of', changedReads(reads.of, declared.name, answers));
  if (answers !== undefined && declared.kind === 'method') {
    put(declared, 'hasResponse', true);
    put(device, 'call', changedCalls(device.call, declared.name, answers));
  }
  if (forgives !== undefined)
    put(device, 'write', changedWrites(device.write, declared.name, forgives, model));
  if (admitsWithoutHeader === true)
    put(access, 'authenticate', changedLogins(access.authenticate, declared.name));
  return {
    scannerStarted: () => {
      isUp = true;
    },
    [Symbol.dispose]: () => {
      for (const each of undo.toReversed()) each();
    },
  };
}

/** Depth of nested objects in a body that may be anything. */
const deepest = 64;

type Answered = (data: unknown) => unknown;
type Reads = Places['reads'];

function changedReads(of: Reads['of'], changed: string, answers: Answered): Reads['of'] {
  return function (this: Reads, variable, name) {
    const body = of.call(this, variable, name);
    if (variable.name !== changed) return body;
    const json: unknown = JSON.parse(body.text);
    if (!isObject(json)) return body;
    return Reflect.construct(body.constructor, [JSON.stringify({ ...json, data: answers(json.data) })]);
  };
}

type Calls = Places['device'];

function changedCalls(call: Calls['call'], changed: string, answers: Answered): Calls['call'] {
  return function (this: Calls, method, ...given) {
    const result = call.call(this, method, ...given);
    if (method.name !== changed) return result;
    if (!(result instanceof Promise)) return { ...result, response: answers(result.response) };
    return result.then((one) => ({ ...one, response: answers(one.response) }));
  };
}

function changedWrites(
  write: Calls['write'],
  changed: string,
  forgiven: readonly Status[],
  { Refusal }: Model,
): Calls['write'] {
  return function (this: Calls, variable, given, ...rest) {
    if (variable.name !== changed || typeof given !== 'function')
      return write.call(this, variable, given, ...rest);
    const forgiving = (): unknown => {
      try {
        return given();
      } catch (error) {
        if (error instanceof Refusal && forgiven.includes(error.status)) return this.read(variable);
        throw error;
      }
    };
    return write.call(this, variable, forgiving, ...rest);
  };
}

type Logins = Places['access'];

function changedLogins(authenticate: Logins['authenticate'], changed: string): Logins['authenticate'] {
  return function (this: Logins, header, endpoint, ...rest) {
    if (endpoint === changed && header === undefined) return { level: 'Service' };
    return authenticate.call(this, header, endpoint, ...rest);
  };
}

/** Changes the names that scanners serve. @returns what puts them back */
function servedOtherwise(device: Calls, serves: NonNullable<Fault['serves']>): () => void {
  const before = Object.getOwnPropertyDescriptor(device, 'served');
  if (before?.get === undefined) throw new Error('a device has no getter of what it serves');
  const { get } = before;
  const changed = new WeakMap<object, object>();
  Object.defineProperty(device, 'served', {
    ...before,
    get(this: Calls): object {
      const served: Calls['served'] = get.call(this);
      const known = changed.get(served);
      if (known !== undefined) return known;
      const endpoints = new Map(served.endpoints);
      serves(endpoints);
      const other = { ...served, endpoints };
      changed.set(served, other);
      return other;
    },
  });
  return () => Object.defineProperty(device, 'served', before);
}

/** Replaces a member of an object, its own or that of its class. @returns what puts it back */
function replaced(object: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, {
    value,
    configurable: true,
    writable: true,
    enumerable: before?.enumerable ?? false,
  });
  return () => {
    if (before === undefined) Reflect.deleteProperty(object, name);
    else Object.defineProperty(object, name, before);
  };
}

async function placesIn(registry: ModuleRegistry): Promise<Places> {
  const [model, answers, devices, logging] = await Promise.all([
    registry.import('@azimuth/model'),
    registry.source('packages/server/src/rest/response-bodies.ts'),
    registry.source('packages/device/src/device.ts'),
    registry.source('packages/device/src/access/access.ts'),
  ]);
  if (!isModel(model) || !isAnswers(answers) || !isDevices(devices) || !isLogging(logging))
    throw new Error('the scanner has no declarations, reads, calls or logins where faults are planted');
  return {
    model,
    reads: answers.PreparedReads.prototype,
    device: devices.Device.prototype,
    access: logging.Access.prototype,
  };
}

function isModel(module: object): module is Model {
  return 'builtInInterface' in module;
}

function isAnswers(module: object): module is Answers {
  return 'PreparedReads' in module;
}

function isDevices(module: object): module is Devices {
  return 'Device' in module;
}

function isLogging(module: object): module is Logging {
  return 'Access' in module;
}
