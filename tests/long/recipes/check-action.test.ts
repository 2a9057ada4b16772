import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ActionRunner } from '@azimuth/test-support/action-runner';
import { array, object } from '@azimuth/test-support/json';
import { root } from '@azimuth/test-support/recipe-program';
import { startScanner } from '@azimuth/testing';
import { expect, onTestFinished, test } from 'vitest';
import { parse as parseYaml } from 'yaml';

const folder = join(root, '.github', 'actions', 'check');
const action = object(parseYaml(readFileSync(join(folder, 'action.yml'), 'utf8')));
const steps = array(object(action.runs).steps).map(object);
const check = steps.find(({ id }) => id === 'check') ?? {};

/** A runner that finds the command of the clone. */
function runnerWith(inputs: Readonly<Record<string, string>>): ActionRunner {
  const runner = new ActionRunner(inputs, folder);
  runner.path.push(join(root, 'node_modules', '.bin'));
  return runner;
}

test('the action that checks installs the command of the clone', async () => {
  const runner = new ActionRunner({}, folder);
  await runner.step(steps.find(({ id }) => id === 'install') ?? {});
  expect(await runner.later('azimuth check --list --only status.ok')).toContain('status.ok');
});

test('it checks a scanner, writes the reports, and tells later steps where they are', async () => {
  const scanner = await startScanner();
  onTestFinished(() => scanner.close());
  const { url } = scanner;
  const runner = runnerWith({ url, options: '--only status.ok --quiet', formats: 'json junit sarif html' });
  expect(await runner.step(check)).toContain('1 passed, 0 failed');
  expect(runner.outputs.get('steps.check.outputs.failed')).toBe('false');
  const reports = runner.outputs.get('steps.check.outputs.report') ?? '';
  expect(readdirSync(reports)).toEqual(['check.html', 'check.json', 'check.junit.xml', 'check.sarif']);
});

test('it fails for a format that there is not, and if nothing answers', async () => {
  const scanner = await startScanner();
  onTestFinished(() => scanner.close());
  const { url } = scanner;
  const refusal = (inputs: Readonly<Record<string, string>>) =>
    expect(runnerWith({ url, options: '', formats: 'junit', ...inputs }).step(check)).rejects;
  await refusal({ formats: 'pdf' }).toThrow('expected json, junit, sarif or html, got pdf');
  await refusal({ url: 'http://127.0.0.1:1' }).toThrow('127.0.0.1:1');
});
