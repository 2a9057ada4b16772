import { extensionPrefix, type KnownInterface } from '@azimuth/model';
import type { ConformanceCase } from '../cases/index.js';
import type { CheckSubject } from '../scanner/checked-scanner.js';
import type { Step } from '../steps/step.js';

/** Stands for all parameters in `changes` of a case. */
const allParameters = '*';

/** Returns the variables that a case may change: those that its steps POST, and those that it states. */
export function touchedBy(one: ConformanceCase, subject: CheckSubject): readonly string[] {
  const names = new Set<string>();
  for (const step of stepsOf(one)) {
    if (step.kind !== 'request' || step.method === 'GET') continue;
    const name = writableName(step.path, subject.known);
    if (name !== undefined) names.add(name);
  }
  for (const name of one.changes ?? []) {
    if (name !== allParameters) names.add(name);
    else for (const parameter of parametersOf(subject)) names.add(parameter);
  }
  // Nothing says which extensions a scanner has: they are tried.
  return [...names].filter((name) => name.startsWith(extensionPrefix) || subject.has(name));
}

/** Returns all parameters that a scanner has, and that a client may write. */
function parametersOf(subject: CheckSubject): readonly string[] {
  return possibleParametersOf(subject).filter((name) => subject.has(name));
}

/** Returns all parameters that a scanner may have, extensions too, and that a client may write. */
export function possibleParametersOf({ known, has }: CheckSubject): readonly string[] {
  return known.parameters
    .filter(({ variable }) => variable.facts.write !== undefined)
    .map(({ name }) => name)
    .filter((name) => name.startsWith(extensionPrefix) || has(name));
}

/** What stores the working parameters, by REST and by the legacy protocol. */
const saving = /\b(WriteEeprom|mEEwriteall|RebootDevice|mSCreboot|RestoreParameterBackup)\b/;

/** True if a case changes the stored set: it saves, or it is destructive. */
export function saves(one: ConformanceCase): boolean {
  if (one.stage === 'read') return false;
  // What many cases prepare together is saved once, at the end.
  if (one.steps.some(({ kind }) => kind === 'once')) return false;
  const changing = stepsOf(one).filter((step) => !isRefused(step));
  return one.stage === 'destructive' || saving.test(JSON.stringify(changing));
}

/** True for a request that is expected to be refused, or that only reads: a scanner is not saved because of it. */
function isRefused(step: Step): boolean {
  if (step.kind !== 'request') return false;
  const { method, expect } = step;
  const statuses = expect.status === undefined ? [] : [expect.status].flat();
  return method === 'GET' || (statuses.length > 0 && !statuses.includes(0));
}

/** Returns all steps of a case, those that are repeated too. */
function stepsOf({ steps, cleanup = [] }: ConformanceCase): readonly Step[] {
  return [...steps, ...cleanup].flatMap(flattened);
}

function flattened(step: Step): readonly Step[] {
  return step.kind === 'repeat' ? step.steps.flatMap(flattened) : [step];
}

/** Returns the name of the variable behind a path, if anybody may write it. */
function writableName(path: string, known: KnownInterface): string | undefined {
  const name = path.replace(/^\/(api\/)?/, '');
  const variable = known.variable(name);
  if (variable?.facts.write === undefined) return undefined;
  return name.startsWith(extensionPrefix) ? name : variable.name;
}
