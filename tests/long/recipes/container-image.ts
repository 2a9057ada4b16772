import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { array, parse, string } from '@azimuth/test-support/json';
import { plainEnvironment, run } from '@azimuth/test-support/recipe-program';
import { expect } from 'vitest';

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** One stage of a Dockerfile as a folder of this machine: what is `/opt` in the image is `opt` in the folder. */
class Stage {
  readonly env: Record<string, string> = {};
  user = 'root';
  workFolder = '/';
  health = '';
  command: readonly string[] = [];

  constructor(readonly folder: string) {
    mkdirSync(folder, { recursive: true });
  }

  /** A text with paths of the image, with those of this machine instead. Programs of the system are taken from here. */
  here(text: string): string {
    return text.replace(/(^|[\s=:"'])\/(?=(?:build|packed|opt|data)\b)/g, `$1${this.folder}/`);
  }

  /** Variables in a text are those of the instructions before. */
  expanded(text: string): string {
    return text.replace(/\$\{?(\w+)\}?/g, (_, name: string) => this.env[name] ?? '');
  }
}

/** Carries out a Dockerfile, without an engine and without rights that an engine has. */
export class ContainerImage {
  readonly #stages = new Map<string, Stage>();
  #last: Stage | undefined;

  private constructor(
    readonly folder: string,
    readonly context: string,
  ) {
    // Nobody can give files away, and the user of the image does not exist here.
    mkdirSync(join(folder, 'stand-ins'));
    const chown = join(folder, 'stand-ins', 'chown');
    writeFileSync(chown, '#!/bin/sh\nexit 0\n');
    chmodSync(chown, 0o755);
  }

  static async build(dockerfile: string, context: string, folder: string): Promise<ContainerImage> {
    const image = new ContainerImage(folder, context);
    for (const instruction of instructionsOf(readFileSync(dockerfile, 'utf8')))
      await image.#carryOut(instruction);
    return image;
  }

  /** The stage that a container runs. */
  get result(): Stage {
    if (this.#last === undefined) throw new Error('the Dockerfile has no FROM');
    return this.#last;
  }

  /** The environment of a container, with what `docker run -e` adds. */
  environment(added: Readonly<Record<string, string>> = {}): Record<string, string> {
    const env = { ...this.result.env, ...added };
    return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, this.result.here(value)]));
  }

  async #carryOut({ name, text }: Instruction): Promise<void> {
    if (name === 'FROM') return this.#begin(text);
    const stage = this.result;
    if (name === 'RUN') return this.#run(stage, text);
    if (name === 'COPY') return this.#copy(stage, text);
    if (name === 'WORKDIR') {
      stage.workFolder = text;
      mkdirSync(join(stage.folder, text), { recursive: true });
    } else if (name === 'ENV') {
      for (const [, variable = '', value = ''] of text.matchAll(/(\w+)=(\S+)/g))
        stage.env[variable] = stage.expanded(value);
    } else if (name === 'USER') stage.user = text;
    else if (name === 'VOLUME') expect(existsSync(join(stage.folder, text)), text).toBe(true);
    else if (name === 'HEALTHCHECK') stage.health = text.replace(/^(--\S+ )*CMD /, '');
    else if (name === 'CMD') stage.command = array(parse(text)).map(string);
    else if (name !== 'EXPOSE') throw new Error(`this test does not know the instruction ${name}`);
  }

  #begin(text: string): void {
    const [, , name = String(this.#stages.size)] = text.split(' ');
    const stage = new Stage(join(this.folder, name));
    // The programs of the base image: those of this machine.
    stage.env.PATH = [join(this.folder, 'stand-ins'), dirname(process.execPath), plainEnvironment.PATH].join(
      delimiter,
    );
    this.#stages.set(name, stage);
    this.#last = stage;
  }

  async #run(stage: Stage, text: string): Promise<void> {
    const env = { ...plainEnvironment, ...this.environment(), npm_config_prefer_offline: 'true' };
    const { code, output } = await run(
      ['sh', '-c', stage.here(text)],
      join(stage.folder, stage.workFolder),
      env,
    );
    expect(code, `RUN ${text}: ${output}`).toBe(0);
  }

  #copy(stage: Stage, text: string): void {
    const words = text.split(' ');
    const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
    const [source = '', target = ''] = words.filter((word) => !word.startsWith('--'));
    const folder = from === undefined ? this.context : this.#stages.get(from)?.folder;
    if (folder === undefined) throw new Error(`no stage ${from}`);
    const ignored = from === undefined ? ignoredIn(this.context) : () => false;
    cpSync(join(folder, source), join(stage.folder, target === '.' ? stage.workFolder : target), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !ignored(relative(folder, path)),
    });
  }
}

/** The instructions of a Dockerfile in their order, with lines joined and without comments. */
function instructionsOf(dockerfile: string): Instruction[] {
  return dockerfile
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', ...text] = line.trim().split(/\s+/);
      return { name, text: text.join(' ') };
    });
}

/** Whether .dockerignore keeps a path of the context out. `*` is a part of a name, and `**` at the beginning any folder. */
function ignoredIn(context: string): (path: string) => boolean {
  const patterns = readFileSync(join(context, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  const parts = patterns.map((pattern) =>
    pattern
      .replaceAll('.', '\\.')
      .replace(/^\*\*\//, '(.*/)?')
      .replace(/(?<![.)])\*/g, '[^/]*'),
  );
  const ignored = new RegExp(`^(${parts.join('|')})$`);
  return (path) => ignored.test(path);
}
