import type { Variable } from '@azimuth/model';
import { get, post } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';

/** Cases that read a variable, or try to write it without a login: with the value that it has. */
export function readCases(variable: Variable<unknown>): readonly ConformanceCase[] {
  const { name, facts } = variable;
  const write = facts.write === undefined ? readOnly(variable) : noHeader(variable);
  return [read(variable), key(variable), write].map((one) => ({ ...one, names: [name] }));
}

function read({ name, group }: Variable<unknown>): ConformanceCase {
  return {
    id: `variable.${name}.read`,
    clause: `A GET of ${name} answers a value of its type, without a login.`,
    place: `specification: Reads; family: description of the group ${group}`,
    level: 'must',
    stage: 'read',
    steps: [get(name, { status: 0, data: { has: { [name]: { ofVariable: name } } } })],
  };
}

function key({ name, type }: Variable<unknown>): ConformanceCase {
  const isStruct = type.shape.kind === 'struct';
  return {
    id: `variable.${name}.key`,
    clause: isStruct
      ? `The data of ${name} has the value under this name, and its members beside it, and nothing else.`
      : `The data of ${name} has the value under this name, and nothing else.`,
    place: isStruct
      ? 'specification: Device, status and operating data; family: devices answer the name, the description the members'
      : 'specification: Message conventions',
    level: isStruct ? 'should' : 'must',
    stage: 'read',
    steps: [
      get(name, {
        data: isStruct ? { withMembersOf: name } : { exactly: { [name]: { present: true } } },
      }),
    ],
  };
}

function readOnly({ name }: Variable<unknown>): ConformanceCase {
  return {
    id: `variable.${name}.read-only`,
    clause: `A POST of ${name} answers status 8, Read Only.`,
    place: 'specification: Errors',
    level: 'must',
    stage: 'read',
    steps: [
      get(name, {}, { save: { now: `data.${name}` } }),
      post(name, { status: 8 }, { data: { [name]: { saved: 'now' } } }),
    ],
  };
}

function noHeader({ name }: Variable<unknown>): ConformanceCase {
  return {
    id: `variable.${name}.no-header`,
    clause: `A POST of ${name} without the header of a login answers status 4, Access Denied.`,
    place: 'specification: Errors; Challenge-response for every POST write or method call',
    level: 'must',
    stage: 'read',
    steps: [
      get(name, {}, { save: { now: `data.${name}` } }),
      post(name, { status: 4 }, { data: { [name]: { saved: 'now' } } }),
    ],
  };
}
