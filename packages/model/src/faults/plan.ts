import { nearestName } from '@azimuth/wording';
import { isObject } from '../envelope.js';
import type { JsonSchema } from '../types/schema.js';
import { type FaultKind, faultKinds, isFaultKind, type PlannedFault, type WrittenFault } from './kinds.js';
import { expectationOf, isOf, type Member, type Members } from './member.js';
import { triggers } from './triggers.js';

/** Largest number of faults in one plan. */
export const mostFaults = 1000;

/** The largest seed. */
export const largestSeed = 2 ** 32 - 1;

/** Plan of faults as somebody writes it: in a file, for the control port, or in a program. */
export interface FaultPlan {
  /** Seed of all random decisions, 0 to 4294967295. */
  readonly seed?: number;
  readonly faults: readonly WrittenFault[];
}

/** Plan after the check. */
export interface CheckedPlan extends FaultPlan {
  readonly faults: readonly PlannedFault[];
}

/** Error for a plan that cannot be used. The message lists the problems with their places, one per line. */
export class FaultPlanError extends Error {
  override readonly name = 'FaultPlanError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

const seedMember: Member = { type: 'number', integer: true, least: 0, most: largestSeed, text: 'seed' };
/** Number of problems that one message lists. */
const mostProblems = 20;
const longestShown = 60;

/** Checks a plan. @throws FaultPlanError */
export function checkedPlan(plan: unknown): CheckedPlan {
  const problems: string[] = [];
  if (!isObject(plan)) throw new FaultPlanError(['expected an object with the member faults']);
  for (const name of Object.keys(plan)) {
    if (name !== 'seed' && name !== 'faults') {
      problems.push(`unknown member ${shown(name)}${suggestion(name, ['seed', 'faults'])}`);
    }
  }
  const { seed, faults } = plan;
  if (seed !== undefined && !isOf(seedMember, seed)) problems.push(mismatch('seed', seedMember, seed));
  if (!Array.isArray(faults)) problems.push(`faults: a list of faults, not ${shown(faults)}`);
  else if (faults.length > mostFaults) problems.push(`faults: at most ${mostFaults}, not ${faults.length}`);
  const listed: readonly unknown[] = Array.isArray(faults) ? faults.slice(0, mostFaults) : [];
  const checked = listed.map((fault, index) => faultIn(fault, `faults[${index}]`, problems));
  if (problems.length > 0) throw new FaultPlanError(listOf(problems));
  const checkedFaults = checked.flatMap((one) => one ?? []);
  return typeof seed === 'number' ? { seed, faults: checkedFaults } : { faults: checkedFaults };
}

/** Checks one fault. @throws FaultPlanError */
export function checkedFault(fault: unknown): PlannedFault {
  const problems: string[] = [];
  const checked = faultIn(fault, '', problems);
  if (checked === undefined || problems.length > 0) throw new FaultPlanError(listOf(problems));
  return checked;
}

/** Returns all members that a fault of this kind can have. */
export function membersOf(kind: FaultKind): Members {
  return { ...faultKinds[kind].members, ...triggers };
}

/**
 * Returns the fault with its defaults. If there are problems, they are added to the list, and the result is undefined.
 */
function faultIn(fault: unknown, place: string, problems: string[]): PlannedFault | undefined {
  const at = (name: string) => (place === '' ? name : `${place}.${name}`);
  if (!isObject(fault)) {
    problems.push(`${place === '' ? 'a fault' : place}: an object with the member kind, not ${shown(fault)}`);
    return undefined;
  }
  const { kind } = fault;
  if (!isFaultKind(kind)) {
    const hint = typeof kind === 'string' ? suggestion(kind, Object.keys(faultKinds)) : '';
    problems.push(`${at('kind')}: the name of a kind of fault, not ${shown(kind)}${hint}`);
    return undefined;
  }
  const members = membersOf(kind);
  const known = Object.keys(members);
  const before = problems.length;
  for (const name of Object.keys(fault)) {
    if (name === 'kind' || Object.hasOwn(members, name)) continue;
    problems.push(
      `${place === '' ? '' : `${place}: `}${kind} has no member ${shown(name)}${suggestion(name, known)}`,
    );
  }
  const values: Record<string, unknown> = { kind };
  for (const [name, member] of Object.entries(members)) {
    const given = fault[name];
    const value = given === undefined ? member.default : given;
    if (value !== undefined && isOf(member, value)) values[name] = value;
    else if (value !== undefined || member.needed === true) problems.push(mismatch(at(name), member, value));
  }
  if (typeof values.repeat === 'number' && typeof values.for === 'number' && values.for >= values.repeat) {
    problems.push(`${at('for')}: less than repeat (${values.repeat}), not ${values.for}`);
  }
  return problems.length === before && isPlanned(values) ? values : undefined;
}

/** True, because the members have been checked one by one, against the declaration of this kind. */
function isPlanned(settled: Readonly<Record<string, unknown>>): settled is PlannedFault {
  return isFaultKind(settled.kind);
}

function mismatch(place: string, member: Member, value: unknown): string {
  return `${place}: ${expectationOf(member)}, not ${shown(value)}`;
}

function suggestion(typed: string, names: readonly string[]): string {
  const near = nearestName(typed, names);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

function listOf(problems: readonly string[]): readonly string[] {
  if (problems.length <= mostProblems) return problems;
  return [...problems.slice(0, mostProblems), `and ${problems.length - mostProblems} more`];
}

/** Returns a value as JSON, cut off if it is long. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'number' ? String(value) : jsonOf(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return typeof value;
  }
}

/** Returns the JSON Schema of a plan, with one alternative for each kind. */
export function planSchema(): JsonSchema {
  const kinds = Object.keys(faultKinds).filter(isFaultKind);
  return {
    type: 'object',
    properties: {
      seed: {
        type: 'integer',
        minimum: 0,
        maximum: largestSeed,
        description: 'of all random decisions',
      },
      faults: {
        type: 'array',
        maxItems: mostFaults,
        items: {
          oneOf: kinds.map((kind) => {
            const members = Object.entries(membersOf(kind));
            const needed = members.filter(([, { needed }]) => needed === true).map(([name]) => name);
            return {
              type: 'object',
              title: kind,
              description: faultKinds[kind].text,
              properties: {
                kind: { type: 'string', enum: [kind] },
                ...Object.fromEntries(members.map(([name, member]) => [name, schemaOf(member)])),
              },
              required: ['kind', ...needed],
              additionalProperties: false,
            };
          }),
        },
      },
    },
    required: ['faults'],
    additionalProperties: false,
  };
}

function schemaOf(member: Member): JsonSchema {
  const about = {
    description:
      'unit' in member && member.unit !== undefined ? `${member.text} (${member.unit})` : member.text,
    default: member.default,
  };
  switch (member.type) {
    case 'number':
      return {
        type: member.integer === true ? 'integer' : 'number',
        minimum: member.least,
        maximum: member.most,
        ...about,
      };
    case 'choice':
      return { enum: member.choices, ...about };
    case 'text':
      return { type: 'string', minLength: 1, maxLength: member.longest, ...about };
    case 'switch':
      return { type: 'boolean', ...about };
  }
}
