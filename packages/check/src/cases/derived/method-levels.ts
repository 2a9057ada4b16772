import { type LoginLevel, loginLevels, type Method } from '@azimuth/model';
import { enabledLevel, post, type Step } from '../../steps/index.js';
import type { ConformanceCase, Stage } from '../case.js';
import { methodCalls } from './method-calls.js';

/**
 * Cases about the level that may call a method. A method with required members gets none of them: it refuses the request before
 * it does anything, after it has checked the level.
 */
export function methodLevelCases(method: Method<unknown, unknown>): readonly ConformanceCase[] {
  const { level } = method.facts;
  if (level === 'open') return [];
  // Enabling a level calls checkCredentials itself.
  if (method.name === 'checkCredentials') return [noHeader(method)];
  const lowest = loginLevels.find((one) => one === level) ?? 'Maintenance';
  return [noHeader(method), ...lowestLevel(method, lowest)];
}

/** What a call with empty data does to a scanner that takes it by mistake. */
function harmOf(method: Method<unknown, unknown>): Stage {
  return isRefusedWhenEmpty(method) ? 'read' : (methodCalls[method.name]?.harm ?? 'read');
}

/** True if a call with empty data is refused with status 1. */
function isRefusedWhenEmpty({ facts }: Method<unknown, unknown>): boolean {
  const { request = {}, optional = [] } = facts;
  return Object.keys(request).some((member) => !optional.includes(member));
}

function noHeader(method: Method<unknown, unknown>): ConformanceCase {
  const { name } = method;
  return {
    id: `method.${name}.no-header`,
    clause: `A call of ${name} without the header of a login answers status 4, Access Denied.`,
    place: 'specification: Errors; Challenge-response for every POST write or method call',
    level: 'must',
    stage: harmOf(method),
    steps: [post(name, { status: 4 }, { data: {} })],
  };
}

function lowestLevel(method: Method<unknown, unknown>, lowest: LoginLevel): readonly ConformanceCase[] {
  const { name } = method;
  const below = loginLevels[loginLevels.indexOf(lowest) - 1];
  const { harm = 'read', calls } = methodCalls[name] ?? {};
  const isRefused = isRefusedWhenEmpty(method);
  const mayBeCalled = isRefused || (calls !== undefined && calls.before === undefined);
  const steps: readonly Step[] = [
    ...(below === undefined ? [] : callAs(name, below, 4)),
    ...(mayBeCalled ? callAs(name, lowest, isRefused ? 1 : 0) : []),
  ];
  if (steps.length === 0) return [];
  return [
    {
      id: `method.${name}.level`,
      clause:
        below === undefined
          ? `${lowest} may call ${name}.`
          : `${lowest} may call ${name}. A call by ${below} answers status 4, Access Denied.`,
      place: 'specification: Endpoints; guide: User levels',
      level: 'must',
      stage: isRefused || harm === 'read' ? 'write' : harm,
      needs: mayBeCalled ? (calls?.needs ?? []) : [],
      steps,
    },
  ];
}

function callAs(name: string, level: LoginLevel, status: number): readonly Step[] {
  return [
    enabledLevel(level),
    post(name, { status }, { login: { level }, data: {}, about: `call by ${level}` }),
  ];
}
