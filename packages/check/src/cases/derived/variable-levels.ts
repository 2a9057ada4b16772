import { type LoginLevel, loginLevels, type Variable } from '@azimuth/model';
import { enabledLevel, get, type Step, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';

/** Cases about the level that may write a variable. They write the value that it has. */
export function levelCases(variable: Variable<unknown>): readonly ConformanceCase[] {
  const { name, facts } = variable;
  const level = loginLevels.find((one) => one === facts.write);
  if (level === undefined) return [];
  const below = loginLevels[loginLevels.indexOf(level) - 1];
  return [
    {
      id: `variable.${name}.level`,
      clause:
        below === undefined
          ? `${level} may write ${name}.`
          : `${level} may write ${name}. A write by ${below} answers status 4, Access Denied.`,
      place:
        'specification: Writable variables; family: a write whose level is not stated needs AuthorizedClient',
      level: 'must',
      stage: 'write',
      names: [name],
      steps: [
        ...(below === undefined ? [] : refused(name, below)),
        enabledLevel(level),
        get(name, {}, { save: { now: `data.${name}` } }),
        write(name, { saved: 'now' }, { status: 0 }, { login: { level }, about: `write by ${level}` }),
      ],
    },
  ];
}

function refused(name: string, level: LoginLevel): readonly Step[] {
  return [
    enabledLevel(level),
    get(name, {}, { save: { now: `data.${name}` } }),
    write(name, { saved: 'now' }, { status: 4 }, { login: { level }, about: `write by ${level}` }),
  ];
}
