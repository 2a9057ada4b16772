import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { temporaryFolder } from './files.js';

const execute = promisify(execFile);

/** Returns the problems that promtool finds in a page of metrics; empty if there are none. */
export async function metricsProblems(page: string): Promise<string> {
  const promtool = spawn('promtool', ['check', 'metrics'], { stdio: ['pipe', 'pipe', 'pipe'] });
  promtool.stdin.end(page);
  const [output, problems] = await Promise.all([
    text(promtool.stdout),
    text(promtool.stderr),
    once(promtool, 'close'),
  ]);
  return output + problems;
}

/** Returns what promtool says against groups of rules; empty if it has nothing against them. */
export async function rulesProblems(groups: unknown): Promise<string> {
  const file = join(temporaryFolder(), 'rules.yaml');
  writeFileSync(file, JSON.stringify({ groups }));
  return execute('promtool', ['check', 'rules', file]).then(
    () => '',
    (error: unknown) => String(Object(error).stderr),
  );
}

/** Samples, one each minute, as promtool writes them: `0x4 1x20`. */
export interface Series {
  readonly series: string;
  readonly values: string;
}

/** An expression, and the series over which it is evaluated. */
export interface Question {
  readonly expr: string;
  readonly series: readonly Series[];
}

/** Is an alarm there? */
export const firing = (alarm: string, series: readonly Series[]): Question => ({
  expr: `count(ALERTS{alertname="${alarm}",alertstate="firing"}) > bool 0`,
  series,
});

/** A value that no question has: promtool prints the one that it has. */
const impossible = -1;

/**
 * Has each expression the value 1, and no labels, after eight minutes? promtool answers all questions at once: to start it
 * takes longer than to evaluate.
 * @param groups of rules that are evaluated, too
 * @returns true for 1, false for 0 or no value
 * @throws Error with what promtool says, if the rules are none or if an expression is none or has another value
 */
export async function areTrue(questions: readonly Question[], groups: unknown = []): Promise<boolean[]> {
  const folder = await mkdtemp(join(tmpdir(), 'azimuth-promtool-'));
  try {
    return await answersOf(questions, groups, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function answersOf(
  questions: readonly Question[],
  groups: unknown,
  folder: string,
): Promise<boolean[]> {
  const write = (name: string, content: unknown) => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(content));
    return file;
  };
  await execute('promtool', ['check', 'rules', write('rules.yaml', { groups })]);
  const tests = questions.map(({ expr, series }, number) => {
    const samples = [{ labels: '{}', value: impossible }];
    const query = { expr: `${expr} # question ${number}`, eval_time: '8m', exp_samples: samples };
    return { interval: '1m', input_series: series, promql_expr_test: [query] };
  });
  const file = write('tests.yaml', { rule_files: ['rules.yaml'], evaluation_interval: '1m', tests });
  const output = await execute('promtool', ['test', 'rules', file]).then(
    ({ stdout }) => stdout,
    (error: unknown) => String(Object(error).stdout) + String(Object(error).stderr),
  );
  const values = new Map(
    [...output.matchAll(/ # question (\d+)", time: 8m,\n *exp: .*\n *got: (.*)/g)].map(
      ([, number, value]) => [Number(number), value],
    ),
  );
  return questions.map(({ expr }, number) => {
    const value = values.get(number);
    if (value === '{} 1E+00') return true;
    if (value === '{} 0E+00' || value === 'nil') return false;
    throw new Error(`${expr} has ${value === undefined ? `no value:\n${output}` : `the value ${value}`}`);
  });
}
