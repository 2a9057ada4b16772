import { allFiles, legacyOnlyNames } from '@azimuth/model';
import type { CheckSubject } from '../../scanner/checked-scanner.js';
import { get, post, type Step, write } from '../../steps/index.js';
import type { Area, ConformanceCase } from '../case.js';
import { descriptionCases } from './description.js';
import { variablesOf } from './values-of-variable.js';

/** Names: those that a scanner has, and those that it does not have. */
export const interfaceArea: Area = {
  name: 'interface',
  title: 'Names of the interface',
  cases: (subject) => [
    ...absentNames(subject),
    letterCase(subject),
    ...foreignNames,
    ...aliases(subject),
    ...descriptionCases(subject),
  ],
};

/** Names of other releases and variants. */
function absentNames(subject: CheckSubject): readonly ConformanceCase[] {
  const { known, has } = subject;
  const endpoints = [...known.variables, ...known.methods].filter(({ name }) => !has(name));
  const files = allFiles.filter(({ name }) => !has(name));
  return [
    ...endpoints.map(({ name }) =>
      absent(name, [get(name, { status: 5 }), post(name, { status: 5 }, { data: {} })]),
    ),
    ...files.map(({ name }) => absent(name, [get(name, { status: 5 })])),
  ];
}

function absent(name: string, steps: readonly Step[]): ConformanceCase {
  return {
    id: `interface.${name}.absent`,
    clause: `${name} is of another release or variant: requests answer status 5, Not Found.`,
    place: 'specification: Versioning; Errors',
    level: 'should',
    stage: 'read',
    steps,
  };
}

function letterCase(subject: CheckSubject): ConformanceCase {
  const names = variablesOf(subject).map(({ name }) => name);
  const others = names.map((name) => {
    const lower = name.toLowerCase();
    return lower === name ? name.toUpperCase() : lower;
  });
  return {
    id: 'interface.letter-case',
    clause: 'The case of letters in a name counts: another one answers status 5, Not Found.',
    place: 'specification: Message conventions; Errors',
    level: 'must',
    stage: 'read',
    steps: others.map((name) => get(name, { status: 5 }, { about: name })),
  };
}

/** Names that this device does not have in any release. */
const foreignNames: readonly ConformanceCase[] = [
  {
    id: 'interface.removed-name',
    clause: 'FieldEvaluationApplicationState was removed in V1.4.0: it answers status 5, Not Found.',
    place: 'specification: Versioning 6',
    level: 'must',
    stage: 'read',
    steps: [get('FieldEvaluationApplicationState', { status: 5 })],
  },
  {
    id: 'interface.sister-names',
    clause: 'Names that only scanners with several layers have answer status 5, Not Found.',
    place: 'family: descriptions of sister products',
    level: 'informational',
    stage: 'read',
    steps: [
      'bInterlacedMode',
      'LFPlayerFilter',
      'ScanDataPreformatting',
      'groundFilterEnable',
      'operatingMode',
    ].map((name) => get(name, { status: 5 }, { about: name })),
  },
  {
    id: 'interface.legacy-names',
    clause: 'Names that only telegrams of the legacy protocol use answer status 5, Not Found.',
    place: 'Azimuth: the specification does not have them',
    level: 'should',
    stage: 'read',
    steps: legacyOnlyNames.map((name) => get(name, { status: 5 }, { about: name })),
  },
];

/** Other names of variables, which devices answer. */
function aliases(subject: CheckSubject): readonly ConformanceCase[] {
  return variablesOf(subject).flatMap(({ name, facts }) =>
    (facts.aliases ?? []).flatMap((alias) => aliasCases(name, alias)),
  );
}

function aliasCases(name: string, alias: string): readonly ConformanceCase[] {
  const place = `guide: telegrams; family: published as ${alias}`;
  return [
    {
      id: `interface.${alias}.read`,
      clause: `${alias} is another name of ${name}: a GET answers the same value, under the name of the request.`,
      place,
      level: 'should',
      stage: 'read',
      steps: [
        get(name, { status: 0 }, { save: { value: `data.${name}` } }),
        get(alias, { status: 0, data: { exactly: { [alias]: { isSaved: 'value' } } } }),
      ],
    },
    {
      id: `interface.${alias}.write`,
      clause: `${alias} is written under its own name, which the hash of the login has, too.`,
      place,
      level: 'should',
      stage: 'write',
      steps: [
        get(name, { status: 0 }, { save: { value: `data.${name}` } }),
        write(alias, { saved: 'value' }),
        write(alias, { saved: 'value' }, { status: 2 }, { data: { [name]: { saved: 'value' } } }),
      ],
    },
  ];
}
