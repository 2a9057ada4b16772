import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { array, object, string } from './json.js';
import { plainEnvironment, root, run, temporaryFolder } from './recipe-program.js';

const action = object(parseYaml(readFileSync(join(root, 'action.yml'), 'utf8')));

/** The steps of action.yml. */
export const actionSteps = array(object(action.runs).steps).map(object);

/** A runner of GitHub, as far as the steps of action.yml notice. */
export class ActionRunner {
  readonly #folder = temporaryFolder();
  readonly #env: Record<string, string> = {};
  readonly path: string[] = [];
  readonly outputs = new Map<string, string>();

  constructor(
    public inputs: Readonly<Record<string, string>>,
    private readonly clone = root,
    private readonly network = false,
  ) {
    mkdirSync(this.#file('temp'));
    mkdirSync(this.project);
  }

  /** Folder in which the steps run: the project of the workflow. */
  get project(): string {
    return this.#file('project');
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
      this.project,
      {
        ...plainEnvironment,
        ...this.#env,
        ...Object.fromEntries(own),
        PATH: [...this.path, plainEnvironment.PATH].join(delimiter),
        RUNNER_TEMP: this.#file('temp'),
        GITHUB_ACTION_PATH: this.clone,
        ...(this.network ? {} : { npm_config_offline: 'true' }),
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

  /** Output of a step of the workflow that used the action. */
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
