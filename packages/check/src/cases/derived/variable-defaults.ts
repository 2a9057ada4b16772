import type { Variable } from '@azimuth/model';
import { sameJson } from '@azimuth/model';
import type { CheckSubject } from '../../scanner/checked-scanner.js';
import { call, get, once, type RequestStep, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { valuesOf } from './values-of-variable.js';
import { variableExceptions } from './variable-exceptions.js';

/**
 * Cases about what LoadApplicationDefaults and LoadFactoryDefaults do to each variable. Before each of the two calls, all
 * variables get another value, once for all cases.
 */
export function defaultCases(
  variables: readonly Variable<unknown>[],
  subject: CheckSubject,
): readonly ConformanceCase[] {
  const writable = variables.filter(({ facts }) => facts.write !== undefined);
  const before = writable.flatMap(({ name }) => variableExceptions[name]?.before ?? []);
  const changed = [...before, ...writable.flatMap((variable) => changeSteps(variable, subject))];
  const afterReset = (name: string) => once(name, [...changed, call(name, undefined)]);
  const application = afterReset('LoadApplicationDefaults');
  const factory = afterReset('LoadFactoryDefaults');
  return [
    ...writable.flatMap((variable) => section(variable, application, subject)),
    ...writable.map((variable) => factoryDefault(variable, factory, subject)),
  ];
}

/** Changes a variable, as far as the scanner takes the value. What it then has is saved. */
function changeSteps(variable: Variable<unknown>, subject: CheckSubject): readonly RequestStep[] {
  const { name } = variable;
  const { other } = valuesOf(variable, subject);
  return [write(name, other, {}), get(name, {}, { save: { [name]: `data.${name}` } })];
}

type Prepared = ReturnType<typeof once>;

function section(
  variable: Variable<unknown>,
  prepared: Prepared,
  subject: CheckSubject,
): readonly ConformanceCase[] {
  const { name } = variable;
  const { initial, other } = valuesOf(variable, subject);
  if (sameJson(initial, other)) return [];
  const isReset = variable.section === 'application';
  return [
    {
      id: `variable.${name}.section`,
      clause: isReset
        ? `LoadApplicationDefaults sets ${name} to its default.`
        : `LoadApplicationDefaults leaves ${name} as it is.`,
      place: 'specification: States and transitions',
      level: 'must',
      stage: 'destructive',
      names: [name],
      steps: [
        prepared,
        get(name, { status: 0, data: { has: { [name]: isReset ? { is: initial } : { isSaved: name } } } }),
      ],
    },
  ];
}

function factoryDefault(
  variable: Variable<unknown>,
  prepared: Prepared,
  subject: CheckSubject,
): ConformanceCase {
  const { name, group } = variable;
  const { initial } = valuesOf(variable, subject);
  return {
    id: `variable.${name}.default`,
    clause: `After LoadFactoryDefaults, ${name} is ${JSON.stringify(initial)}.`,
    place: `specification: Writable variables; States and transitions; family: description of the group ${group}`,
    level: 'must',
    stage: 'destructive',
    needs: ['factory-access'],
    names: [name],
    steps: [prepared, get(name, { status: 0, data: { has: { [name]: { is: initial } } } })],
  };
}
