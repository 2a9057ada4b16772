import { interfaceArea } from '../cases/derived/interface.js';
import { variablesOf } from '../cases/derived/values-of-variable.js';
import type { CheckSubject } from '../scanner/checked-scanner.js';
import { type DeclarationMutant, inFile, type Mutant } from './mutant.js';

/** Returns the mutants of the cases about names. */
export function nameMutants(subject: CheckSubject): readonly Mutant[] {
  const { known, has } = subject;
  const absent = [...known.variables, ...known.methods].filter(({ name }) => !has(name));
  const aliased = variablesOf(subject).flatMap(({ name, facts }) =>
    (facts.aliases ?? []).map((alias) => ({ name, alias })),
  );
  const ids = new Set(interfaceArea.cases(subject).map(({ id }) => id));
  return [
    ...absent.map(
      ({ name }): DeclarationMutant => ({
        kind: 'declaration',
        case: `interface.${name}.absent`,
        name,
        change: 'is in all editions',
      }),
    ),
    ...aliased.flatMap(({ name, alias }) =>
      ['read', 'write'].map(
        (what): DeclarationMutant => ({
          kind: 'declaration',
          case: `interface.${alias}.${what}`,
          name,
          change: 'has no alias',
        }),
      ),
    ),
    ...sourceMutants.filter((mutant) => ids.has(mutant.case)),
  ];
}

const sourceMutants: readonly Mutant[] = [
  ...inFile('packages/server/src/rest/rest-interface.ts', [
    'interface.letter-case',
    'const endpoint = this.#endpoints.get(name);',
    'const endpoint = this.#endpoints.get(name) ?? [...this.#endpoints.values()].find((one) => one.name.toLowerCase() === name.toLowerCase());',
  ]),
  ...inFile(
    'packages/model/src/groups/status.ts',
    [
      'interface.removed-name',
      "export const status = group('Status', {",
      "export const status = group('Status', {\n  FieldEvaluationApplicationState: variable(boolean(), { text: 'State of the fields.' }),",
    ],
    [
      'interface.legacy-names',
      "export const status = group('Status', {",
      "export const status = group('Status', {\n  DevSta: variable(boolean(), { text: 'State of the scanner.' }),",
    ],
  ),
  ...inFile('packages/model/src/groups/backup-restore.ts', [
    'interface.parameterbackup.absent',
    "parameterbackup: file({\n    since: '2.2.0',",
    'parameterbackup: file({',
  ]),
];
