import {
  type Applied,
  type ApplyFailure,
  applyPlan,
  type ChangePlan,
  type PlannedParameter,
  type Scanner,
} from '@azimuth/client';
import { counted, isObject, restorePartOf, type Shape } from '@azimuth/model';
import { CommandFailure, type ExitCode } from '../command-failure.js';
import { describeFailures } from '../output/failures.js';
import type { Target } from '../scanners/target.js';
import type { TargetOutput } from '../scanners/target-output.js';

/** The scanner of a plan, and its options. */
interface ApplyContext {
  readonly target: Target;
  readonly output: TargetOutput;
  readonly signal: AbortSignal;
}

/** Carries out a plan with its progress. If values could not be set back, commands for this are printed. */
export async function applied(
  scanner: Scanner,
  plan: ChangePlan,
  { output, signal }: ApplyContext,
): Promise<Applied> {
  const progress = output.progress();
  try {
    return await applyPlan(scanner, plan, {
      signal,
      onProgress: (done, total, next) => progress.step(`Writing ${next}`, done, total),
    });
  } finally {
    progress.end();
  }
}

/** Returns the result of a plan, for machines. */
export function appliedJson({ outcome, failures, left }: Applied) {
  return {
    outcome,
    failures: failures.map(({ name, reason }) => ({ name, reason })),
    left: left.map(({ name, from }) => ({ name, value: from })),
  };
}

/** Returns the commands that set the remaining written values back, the last one first. */
export function commandsFor({ left }: Applied, target: Target): readonly string[] {
  return left.toReversed().map((parameter) => setCommandFor(parameter, parameter.from, target));
}

/** @throws CommandFailure if the plan was not carried out, or if it is not known if it is saved */
export async function requireApplied({ outcome, failures, left }: Applied): Promise<void> {
  if (outcome === 'saved' || outcome === 'unchanged') return;
  const [first] = failures;
  const more = failures.length > 1 ? `, and ${failures.length - 1} more` : '';
  const { reason, exitCode } = await explained(first);
  throw new CommandFailure(`${reason}${more}. ${consequence(outcome, left.length)}`, exitCode);
}

function consequence(outcome: Applied['outcome'], left: number): string {
  if (outcome === 'unknown') {
    return 'The values are written, but it is not known whether they are saved: azimuth call WriteEeprom saves them';
  }
  if (left === 0) return 'Nothing was saved, and the values that were written are written back';
  const count = counted(left, 'value');
  return `Nothing was saved, but ${count} could not be written back. The commands that are printed do this, and a reboot without saving: azimuth call SoftReset`;
}

async function explained(
  failure: ApplyFailure | undefined,
): Promise<{ readonly reason: string; readonly exitCode: ExitCode }> {
  if (failure?.error !== undefined) {
    const { failures, exitCode } = await describeFailures(failure.error);
    return { reason: failures[0]?.line ?? failure.reason, exitCode };
  }
  const { name = '', reason = '' } = failure ?? {};
  return { reason: name === '' ? reason : `${name}: ${reason}`, exitCode: 'refused' };
}

/** Number of names in a remark. */
const maxNames = 5;

/** Remarks parameters that the scanner does not have: in a site of several releases, this is no error. */
export function remindOfMissing({ parameters }: ChangePlan, output: TargetOutput): void {
  const names = parameters.filter(({ skipped }) => skipped === 'missing').map(({ name }) => name);
  if (names.length === 0) return;
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  output.remark(`left out, as this scanner does not have it: ${names.slice(0, maxNames).join(', ')}${more}`);
}

/** Returns a remark if network settings are written: they are not in force yet. */
export function remindOfNetwork(written: readonly PlannedParameter[], output: TargetOutput): void {
  const network = written.filter(
    ({ variable }) => variable !== undefined && restorePartOf(variable) === 'network',
  );
  if (network.length === 0) return;
  output.remark('network settings are used after EthernetUpdate or a boot: azimuth call EthernetUpdate');
}

/** Returns the command that sets a parameter, for pasting into a shell. */
function setCommandFor(
  { name, variable }: Pick<PlannedParameter, 'name' | 'variable'>,
  value: unknown,
  { label, url }: Pick<Target, 'label' | 'url'>,
): string {
  const words = variable === undefined ? JSON.stringify(value) : setArguments(variable.type.shape, value);
  const device = label === url ? url : `@${label}`;
  // A value that begins with a dash is not an option.
  const end = words.startsWith('-') ? '-- ' : '';
  return `azimuth set --device ${quoted(device)} ${name} ${end}${quoted(words)}`;
}

/** Returns a value in the words of `azimuth set`. */
function setArguments(shape: Shape, value: unknown): string {
  if (shape.kind === 'enumeration') {
    return Object.keys(shape.values).find((name) => shape.values[name] === value) ?? String(value);
  }
  if (shape.kind === 'address' && shape.of === 'IPv4' && Array.isArray(value)) return value.join('.');
  const isPlain = typeof value === 'string' && /^[\p{L}\p{N}_]/u.test(value) && value.trim() === value;
  return isPlain && !isObject(value) ? value : JSON.stringify(value);
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
