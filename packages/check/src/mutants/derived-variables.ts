import { sameJson, type Variable } from '@azimuth/model';
import type { Edge, LimitKind } from '../cases/derived/edges.js';
import { valuesOf, variablesOf } from '../cases/derived/values-of-variable.js';
import { fractions } from '../cases/derived/wrong-values.js';
import type { CheckSubject } from '../scanner/checked-scanner.js';
import type { DeclarationChange } from './changes/index.js';
import type { DeclarationMutant } from './mutant.js';

/** Changes of a declaration by the last part of the id of the case that finds them. */
export type ChangesByCase = Readonly<Record<string, readonly DeclarationChange[]>>;

/** Returns the mutants of the cases about each variable. */
export function variableMutants(subject: CheckSubject): readonly DeclarationMutant[] {
  return variablesOf(subject).flatMap((variable) => [
    ...mutantsOf('variable', variable.name, readChanges(variable)),
    ...mutantsOf('variable', variable.name, writeChanges(variable, subject)),
  ]);
}

/** Makes the mutants of one name. */
export function mutantsOf(area: string, name: string, changes: ChangesByCase): readonly DeclarationMutant[] {
  return Object.entries(changes).flatMap(([what, all]) =>
    all.map(
      (change): DeclarationMutant => ({
        kind: 'declaration',
        case: `${area}.${name}.${what}`,
        name,
        change,
      }),
    ),
  );
}

function readChanges({ type, facts }: Variable<unknown>): ChangesByCase {
  const isStruct = type.shape.kind === 'struct';
  return {
    read: ['is missing', 'answers another type'],
    key: ['answers another key', 'answers more', ...(isStruct ? (['answers less'] as const) : [])],
    ...(facts.write === undefined ? { 'read-only': ['is writable'] } : { 'no-header': ['needs no header'] }),
  };
}

function writeChanges(variable: Variable<unknown>, subject: CheckSubject): ChangesByCase {
  const { type, facts } = variable;
  if (facts.write === undefined) return {};
  const { shape } = type;
  const { initial, other, edges } = valuesOf(variable, subject);
  const isStruct = shape.kind === 'struct' || (shape.kind === 'array' && shape.of.kind === 'struct');
  const hasOther = !sameJson(initial, other);
  return {
    write: hasOther ? ['stores its default', 'stores another value', 'is read-only'] : ['is read-only'],
    ...limitChanges(edges),
    'wrong-type': ['takes invalid data', 'refuses with another status'],
    ...(fractions(shape, initial).length > 0 ? { fraction: ['takes invalid data'] } : {}),
    null: ['takes invalid data'],
    ...(isStruct
      ? { 'missing-member': ['takes incomplete data'], 'unknown-member': ['takes invalid data'] }
      : {}),
    'missing-data': ['can be written without data'],
    'wrong-key': ['can be written under another key'],
    level:
      facts.write === 'Service' ? ['needs a lower level'] : ['needs a lower level', 'needs a higher level'],
    default: [hasOther ? 'has another default' : 'is missing'],
    ...(hasOther ? { section: ['has another section'] } : {}),
  };
}

const accepting = {
  range: 'takes numbers out of range',
  length: 'takes lengths out of bounds',
  values: 'takes illegal values',
} as const satisfies Record<LimitKind, DeclarationChange>;

const refusing: Readonly<Record<LimitKind, readonly DeclarationChange[]>> = {
  range: [
    'refuses a maximum',
    'refuses a minimum',
    'takes a number above its maximum',
    'takes a number below its minimum',
  ],
  length: ['refuses the greatest length', 'refuses the least length', 'takes one item or letter more'],
  values: ['refuses the last value'],
};

/** Returns the changes of limits, for the kinds of limits that a value has. */
export function limitChanges(edges: readonly Edge[]): ChangesByCase {
  const kinds = [...new Set(edges.map(({ kind }) => kind))];
  return Object.fromEntries(
    kinds.map((kind) => {
      const hasAllowed = edges.some((edge) => edge.kind === kind && edge.isAllowed);
      const more = hasAllowed ? refusing[kind] : [];
      return [kind, [accepting[kind], 'refuses with another status', ...more] as const];
    }),
  );
}
