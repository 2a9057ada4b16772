import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
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

/** Samples, one each minute, as promtool writes them: `0x4 1x20`. */
export interface Series {
  readonly series: string;
  readonly values: string;
}

/**
 * Is an alarm there after eight minutes?
 * @param groups of rules
 * @throws Error with what promtool says, if the rules are none
 */
export function fires(groups: unknown, alarm: string, series: readonly Series[]): Promise<boolean> {
  return isTrue(`count(ALERTS{alertname="${alarm}",alertstate="firing"}) > bool 0`, series, groups);
}

/**
 * Has an expression the value 1, and no labels, after eight minutes?
 * @param groups of rules that are evaluated, too
 */
export async function isTrue(
  expr: string,
  series: readonly Series[],
  groups: unknown = [],
): Promise<boolean> {
  const folder = temporaryFolder();
  const write = (name: string, content: unknown) => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(content));
    return file;
  };
  await execute('promtool', ['check', 'rules', write('rules.yaml', { groups })]);
  const matches = async (samples: readonly object[]) => {
    const query = { expr, eval_time: '8m', exp_samples: samples };
    const file = write('tests.yaml', {
      rule_files: ['rules.yaml'],
      evaluation_interval: '1m',
      tests: [{ interval: '1m', input_series: series, promql_expr_test: [query] }],
    });
    return execute('promtool', ['test', 'rules', file]).then(
      () => true,
      (error: unknown) => {
        const { stdout, stderr } = Object(error);
        if (/expr: /.test(String(stderr) + String(stdout))) return false;
        throw error;
      },
    );
  };
  if (await matches([{ labels: '{}', value: 1 }])) return true;
  if ((await matches([])) || (await matches([{ labels: '{}', value: 0 }]))) return false;
  throw new Error(`${expr} has another value`);
}
