import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { array, number, object, parse, string } from '../../support/json.js';
import { plainEnvironment, root, run, temporaryFolder } from '../../support/recipe-program.js';

const action = object(parseYaml(readFileSync(join(root, 'action.yml'), 'utf8')));
const steps = array(object(action.runs).steps).map(object);

/** A runner of GitHub, as far as these steps notice. */
class Runner {
  readonly #folder = temporaryFolder();
  readonly #env: Record<string, string> = {};
  readonly path: string[] = [];
  readonly outputs = new Map<string, string>();

  constructor(public inputs: Readonly<Record<string, string>>) {
    mkdirSync(this.#file('temp'));
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }

  /** With the inputs in the place of `${{ inputs.options }}`; there is no other expression in a step. */
  #value(text: string): string {
    return text.replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_, name: string) => this.inputs[name] ?? '');
  }

  async step(step: Record<string, unknown>): Promise<string> {
    const files = { GITHUB_OUTPUT: 'output', GITHUB_PATH: 'path', GITHUB_ENV: 'env' };
    for (const name of Object.values(files)) writeFileSync(this.#file(name), '');
    const own = Object.entries(object(step.env ?? {})).map(([name, text]) => [
      name,
      this.#value(string(text)),
    ]);
    const { code, output } = await run(
      ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', string(step.run)],
      this.#folder,
      {
        ...plainEnvironment,
        ...this.#env,
        ...Object.fromEntries(own),
        PATH: [...this.path, plainEnvironment.PATH].join(delimiter),
        RUNNER_TEMP: this.#file('temp'),
        GITHUB_ACTION_PATH: root,
        npm_config_offline: 'true',
        ...Object.fromEntries(Object.entries(files).map(([variable, name]) => [variable, this.#file(name)])),
      },
    );
    expect(code, output).toBe(0);
    this.path.unshift(...this.#lines('path'));
    for (const [name, value] of this.#lines('env').map(pair)) this.#env[name] = value;
    for (const [name, value] of this.#lines('output').map(pair))
      this.outputs.set(`steps.${String(step.id)}.outputs.${name}`, value);
    return output;
  }

  /** What a step of the workflow that used the action prints. */
  later(command: string): Promise<string> {
    return this.step({ id: 'later', run: command });
  }

  #lines(name: string): string[] {
    return readFileSync(this.#file(name), 'utf8').split('\n').filter(Boolean);
  }
}

function pair(line: string): [string, string] {
  const [name = '', ...value] = line.split('=');
  return [name, value.join('=')];
}

test('the steps of action.yml start scanners, and tell later steps where they are', async () => {
  expect(steps.map(({ shell }) => shell)).toEqual(['bash', 'bash']);
  const runner = new Runner({ options: '--scene gate --serial 24100007' });
  for (const serial of ['24100007', '24100008']) {
    const again = serial === '24100008';
    if (again) runner.inputs = { options: `--serial ${serial}` };
    for (const step of steps) await runner.step(step);
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
  const runner = new Runner({ options: '--scene nowhere' });
  runner.path.push(join(root, 'node_modules', '.bin'));
  const start = steps.find(({ id }) => id === 'start') ?? {};
  await expect(runner.step(start)).rejects.toThrow('nowhere');
});
