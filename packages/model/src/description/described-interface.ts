import { type Declaration, EventVariable, Method, Variable, type VariableFacts } from '../declaration.js';
import { isObject, sameJson } from '../envelope.js';
import { extensionPrefix } from '../extensions/index.js';
import { builtInInterface, type DescribedScanner, KnownInterface } from '../known-interface.js';
import { isRelease, isVariant, newestRelease, type Release } from '../release.js';
import type { Shape } from '../types/value-type.js';
import { optionalSentence } from './bounds.js';
import { describedEndpoints } from './described-endpoints.js';

/**
 * Reads the interface of a scanner out of its own description (`/openapi.json`). What the scanner states as the model
 * does keeps the declaration of the model, with its rules. What it states otherwise, or what the model lacks, gets a
 * declaration of its own. What the scanner has comes first, then the rest of the model. Undefined if the JSON describes
 * no scanner. The JSON may be hostile: it is read within bounds.
 */
export function describedInterface(json: unknown): KnownInterface | undefined {
  if (!isObject(json) || typeof json.openapi !== 'string') return undefined;
  const { endpoints, extensions, paths } = describedEndpoints(json);
  if (paths.size === 0) return undefined;
  declarations ??= declarationsByName();
  const known = declarations;
  const scanner = { names: paths, ...editionIn(json) };
  const { release } = scanner;
  const variables = endpoints.flatMap((stated) =>
    stated.kind === 'variable' ? [variableAs(stated, known.variables.get(stated.name), release)] : [],
  );
  const methods = endpoints.flatMap((stated) =>
    stated.kind === 'method' ? [methodAs(stated, known.methods.get(stated.name))] : [],
  );
  const ofExtensions = extensions.map((stated) =>
    variableAs(stated, known.extensions.get(stated.name), release),
  );
  const rest = <D extends Declaration>(
    declared: ReadonlyMap<string, D>,
    described: readonly D[],
    prefix = '',
  ) =>
    described.concat(
      [...declared.values()].filter(
        ({ name }) => !paths.has(prefix + name) && !described.some((one) => one.name === name),
      ),
    );
  return new KnownInterface(
    {
      variables: rest(known.variables, variables),
      methods: rest(known.methods, methods),
      files: builtInInterface.files,
      extensions: rest(known.extensions, ofExtensions, extensionPrefix),
    },
    scanner,
  );
}

/** The declarations of the model by their names, without aliases. Made when the first description is read. */
let declarations: ReturnType<typeof declarationsByName> | undefined;

function declarationsByName() {
  return {
    variables: byName(builtInInterface.variables),
    methods: byName(builtInInterface.methods),
    extensions: byName(builtInInterface.extensions),
  };
}

function byName<D extends Declaration>(declared: readonly D[]): ReadonlyMap<string, D> {
  return new Map(declared.map((one) => [one.name, one]));
}

/** Returns the edition that a description states; the newest one with everything if it states none. */
function editionIn({ info }: Readonly<Record<string, unknown>>): Omit<DescribedScanner, 'names'> {
  const stated = isObject(info) ? info['x-edition'] : undefined;
  const { release, variant, product, version } = isObject(stated) ? stated : {};
  return {
    release: typeof release === 'string' && isRelease(release) ? release : newestRelease,
    variant: typeof variant === 'string' && isVariant(variant) ? variant : 'full',
    product: optionalSentence(product),
    version: optionalSentence(version),
  };
}

/** Returns the declaration of the model if the scanner states the same; otherwise the model's rules with its facts. */
function variableAs(
  stated: Variable<unknown>,
  declared: Variable<unknown> | undefined,
  release: Release,
): Variable<unknown> {
  if (declared === undefined) return stated;
  const { write, unit } = stated.facts;
  const factory = stated.type.initial;
  // The same numbers may mean something else, as those of other performance profiles do.
  const isSameType =
    isSameShape(stated.type.shape, declared.type.shape) &&
    sameJson(stated.facts.values, declared.facts.values);
  const isSameFactory = sameJson(factory, declared.factoryValue({ release, createdWith: release }));
  const isSame =
    isSameType && isSameFactory && write === declared.facts.write && unit === declared.facts.unit;
  if (isSame) return declared;
  const facts: VariableFacts = {
    ...declared.facts,
    write,
    unit,
    units: stated.facts.units,
    values: stated.facts.values,
    section: declared.section,
    variant: declared.variant,
    factory: () => factory,
    // The parts of telegrams are those of the declared type.
    written: isSameType ? declared.facts.written : undefined,
  };
  const type = isSameType ? declared.type : stated.type;
  const merged = declared.isEvent ? new EventVariable(type, facts) : new Variable(type, facts);
  return registered(merged, declared);
}

function methodAs(
  stated: Method<unknown, unknown>,
  declared: Method<unknown, unknown> | undefined,
): Method<unknown, unknown> {
  if (declared === undefined) return stated;
  const isSame =
    isSameShape(stated.request.shape, declared.request.shape) &&
    isSameShape(stated.response.shape, declared.response.shape) &&
    stated.facts.level === declared.facts.level;
  if (isSame) return declared;
  const { request, response, optional, level } = stated.facts;
  const facts = { ...declared.facts, request, response, optional, level };
  return registered(new Method(stated.request, stated.response, facts), declared);
}

/** True if two shapes allow the same values. Defaults of members, and forms in legacy telegrams, do not count. */
function isSameShape(one: Shape, other: Shape): boolean {
  return sameJson(valuesOf(one), valuesOf(other));
}

function valuesOf(shape: Shape): unknown {
  if (shape.kind === 'string') return { ...shape, padded: undefined };
  if (shape.kind === 'array') return { ...shape, of: valuesOf(shape.of), inTelegrams: undefined };
  if (shape.kind !== 'struct') return shape;
  return Object.entries(shape.members).map(([name, member]) => [
    name,
    member.optional,
    valuesOf(member.shape),
  ]);
}

/** Gives a declaration the name and the group of another one. */
function registered<D extends Declaration>(declaration: D, { name, group }: Declaration): D {
  declaration.register(name, group, {});
  return declaration;
}
