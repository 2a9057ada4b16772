import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { CheckedPlan } from '@azimuth/model/faults';
import { CommandFailure } from './command-failure.js';

/** Characters: more than a plan of 1000 faults needs. */
const longestPlan = 1024 * 1024;

/**
 * The plan of faults in a YAML or JSON file, or on stdin for `-`.
 * @param option in front of the name in messages
 * @throws CommandFailure
 */
export async function faultPlanIn(path: string, option = ''): Promise<CheckedPlan> {
  const name = `${option}${path === '-' ? 'stdin' : path}`;
  const content = await contentOf(path, name);
  const { checkedPlan, FaultPlanError } = await import('@azimuth/model/faults');
  const plan = await parsed(content, name);
  try {
    return checkedPlan(plan);
  } catch (error) {
    if (!(error instanceof FaultPlanError)) throw error;
    throw new CommandFailure(error.problems.map((problem) => `${name}: ${problem}`).join('\n'));
  }
}

async function contentOf(path: string, name: string): Promise<string> {
  let content: string;
  try {
    content = await (path === '-' ? text(process.stdin) : readFile(path, 'utf8'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw new CommandFailure(
      code === 'ENOENT'
        ? `${name}: there is no such file`
        : `${name}: cannot be read (${String(code ?? error)})`,
    );
  }
  if (content.length > longestPlan) {
    throw new CommandFailure(`${name}: at most ${longestPlan} characters are allowed, not ${content.length}`);
  }
  return content;
}

/** JSON is YAML, too. */
async function parsed(content: string, name: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(content, { prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const [line = ''] = error.message.split('\n', 1);
    throw new CommandFailure(`${name}: ${line.replace(/:$/, '')}`);
  }
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (failure) {
    throw new CommandFailure(`${name}: ${failure instanceof Error ? failure.message : String(failure)}`);
  }
}
