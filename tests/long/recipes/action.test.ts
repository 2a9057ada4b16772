import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ActionRunner, actionSteps } from '@azimuth/test-support/action-runner';
import { number, object, parse, string } from '@azimuth/test-support/json';
import { root } from '@azimuth/test-support/recipe-program';
import { expect, onTestFinished, test } from 'vitest';
import { parse as parseYaml } from 'yaml';

const action = object(parseYaml(readFileSync(join(root, 'action.yml'), 'utf8')));

test('the steps of action.yml start scanners, and tell later steps where they are', async () => {
  expect(actionSteps.map(({ shell }) => shell)).toEqual(['bash', 'bash']);
  const runner = new ActionRunner({ options: '--scene gate --serial 24100007' });
  for (const serial of ['24100007', '24100008']) {
    const again = serial === '24100008';
    if (again) runner.inputs = { options: `--serial ${serial}` };
    for (const step of actionSteps) await runner.step(step);
    const outputs = Object.entries(object(action.outputs)).map(([name, output]): [string, string] => {
      const [, source = ''] = /^\$\{\{ (.*) \}\}$/.exec(string(object(output).value)) ?? [];
      return [name, runner.outputs.get(source) ?? ''];
    });
    const { url, control, ready, package: file } = Object.fromEntries(outputs);
    const { http, pid, control: controlPort } = object(parse(ready ?? ''));
    onTestFinished(() => {
      process.kill(number(pid));
    });
    expect(url).toBe(`http://127.0.0.1:${number(http)}`);
    expect(control).toBe(`http://127.0.0.1:${number(controlPort)}`);
    expect(file).toMatch(/\.tgz$/);
    expect(await runner.later('azimuth get SerialNumber')).toContain(serial);
    expect(await runner.later('azimuth sim temperature 41 && azimuth get DeviceStatus')).toContain('3');
  }
});

test('a step fails with the reason if the scanner does not start', async () => {
  const runner = new ActionRunner({ options: '--scene nowhere' });
  runner.path.push(join(root, 'node_modules', '.bin'));
  const start = actionSteps.find(({ id }) => id === 'start') ?? {};
  await expect(runner.step(start)).rejects.toThrow('nowhere');
});
