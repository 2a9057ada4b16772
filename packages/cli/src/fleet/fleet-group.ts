import { dirname, resolve } from 'node:path';
import {
  allParameters,
  isRelease,
  isVariant,
  nearestName,
  newestRelease,
  type Release,
  releaseMistake,
  type Variable,
  type Variant,
  variantsInWords,
} from '@azimuth/model';
import { usualScene } from '@azimuth/world';
import type { FaultPlan } from '@azimuth/world/faults';
import { isScenePath, loadScene, readyScene, type Scene, SceneError } from '@azimuth/world/scene';
import { isMap, isNode, isScalar, type Scalar, visit, type YAMLMap } from 'yaml';
import { CommandFailure } from '../command-failure.js';
import { faultPlanIn } from '../input/fault-plan.js';
import { wordOf, type YamlFile } from '../yaml/yaml-file.js';
import {
  type Addressing,
  isLoopback,
  mostPort,
  mostUnits,
  type Numbering,
  patternMistake,
} from './numbering.js';

/** The members of a group in a fleet file. */
const members = [
  'count',
  'serial',
  'first',
  'release',
  'variant',
  'scene',
  'seed',
  'parameters',
  'faults',
  'port',
  'address',
] as const;
type Member = (typeof members)[number];

/** A group of a fleet file, checked. */
export interface Group {
  readonly name: string;
  readonly count: number;
  readonly numbering: Numbering;
  readonly release: Release | undefined;
  readonly variant: Variant;
  readonly scene: Scene;
  readonly seed: number;
  readonly parameters: readonly (readonly [Variable<unknown>, unknown])[];
  readonly faults: FaultPlan | undefined;
  readonly addressing: Addressing | undefined;
}

/** Reads the groups of a fleet file, and reports what is wrong in them. */
export class GroupReader {
  /** The files that they name, by the texts that name them. */
  readonly files = new Map<Scalar, string>();
  readonly #file: YamlFile;
  readonly #path: string;
  readonly #scenes = new Map<string, Scene>();
  readonly #plans = new Map<string, FaultPlan>();

  /** @param path of the fleet file: others are searched beside it */
  constructor(file: YamlFile, path: string) {
    this.#file = file;
    this.#path = path;
  }

  /**
   * @param before how many scanners there are in groups before it
   * @returns undefined if it is no group
   */
  async read(key: unknown, written: unknown, before: number): Promise<Group | undefined> {
    const node = this.#file.resolved(written);
    const name = wordOf(key);
    if (!/^[\w.-]{1,40}$/.test(name)) {
      this.#file.report(key, `"${name}" is no name of a group: expected letters, digits, ., - and _`);
      return undefined;
    }
    if (!isMap(node)) {
      this.#file.report(key, `${name}: expected members, at least count`);
      return undefined;
    }
    for (const pair of node.items) {
      const member = wordOf(pair.key);
      if (members.some((one) => one === member)) continue;
      const near = nearestName(member, members);
      this.#file.report(
        pair.key,
        `there is no member "${member}"${near === undefined ? '' : `; did you mean ${near}?`}`,
      );
    }
    const count = this.#number(node, 'count', 1, mostUnits) ?? 1;
    if (!node.has('count')) this.#file.report(key, `${name}: count is missing`);
    const areTooMany = before + count > mostUnits;
    if (areTooMany) {
      const others = `the groups before it have ${before}, and a fleet has at most ${mostUnits} scanners`;
      this.#file.report(node.get('count', true), `count: ${count} are too many: ${others}`);
    }
    const release = this.#release(node);
    const variant = this.#variant(node);
    const group: Group = {
      name,
      count,
      release,
      variant,
      numbering: this.#numbering(node, count, before),
      scene: await this.#scene(node),
      seed: this.#number(node, 'seed', 0, 2 ** 32 - 1) ?? 1,
      parameters: this.#parameters(node, release ?? newestRelease, variant),
      faults: await this.#faults(node),
      addressing: this.#addressing(node),
    };
    return areTooMany ? undefined : group;
  }

  #parameters(group: YAMLMap, release: Release, variant: Variant): Group['parameters'] {
    const node = this.#file.resolved(group.get('parameters', true));
    if (node === undefined) return [];
    if (!isMap(node)) {
      this.#file.report(node, 'parameters: expected names with their values');
      return [];
    }
    return node.items.flatMap(({ key, value }) => {
      const name = wordOf(key);
      const variable = allParameters.find((one) => one.name === name);
      if (variable?.isIn({ release, variant })) {
        const resolved = this.#file.resolved(value);
        this.#checkPlaceholders(resolved);
        return [[variable, resolved] as const];
      }
      const near = nearestName(
        name,
        allParameters.map((one) => one.name),
      );
      const why =
        variable === undefined
          ? `there is no parameter "${name}"${near === undefined ? '' : `; did you mean ${near}?`}`
          : `${name} does not exist in release ${release}, variant ${variant}`;
      this.#file.report(key, why);
      return [];
    });
  }

  /** A misspelled one would be taken as it is written. */
  #checkPlaceholders(value: unknown): void {
    if (!isNode(value)) return;
    visit(value, {
      Scalar: (key, scalar) => {
        const [unknown] =
          key !== 'key' && typeof scalar.value === 'string'
            ? (/\{(?!n\}|serial\})[^{}]+\}/.exec(scalar.value) ?? [])
            : [];
        if (unknown !== undefined)
          this.#file.report(scalar, `${unknown} stands for nothing: expected {n} or {serial}`);
      },
    });
  }

  /** Without a pattern, the scanners of all groups are counted. */
  #numbering(group: YAMLMap, count: number, before: number): Numbering {
    const pattern = this.#text(group, 'serial');
    const first = this.#number(group, 'first', 0, 99_999_999);
    if (pattern === undefined) return { pattern: '########', first: first ?? before + 1 };
    const mistake = patternMistake(pattern, count);
    if (mistake !== undefined) this.#file.report(group.get('serial', true), `serial: ${mistake}`);
    return { pattern, first: first ?? 1 };
  }

  #release(group: YAMLMap): Release | undefined {
    const text = this.#text(group, 'release');
    if (text === undefined || isRelease(text)) return text;
    this.#file.report(group.get('release', true), `release: ${releaseMistake(text)}`);
    return undefined;
  }

  #variant(group: YAMLMap): Variant {
    const text = this.#text(group, 'variant') ?? 'full';
    if (isVariant(text)) return text;
    this.#file.report(group.get('variant', true), `variant: expected ${variantsInWords}, got "${text}"`);
    return 'full';
  }

  async #scene(group: YAMLMap): Promise<Scene> {
    const text = this.#text(group, 'scene') ?? usualScene;
    try {
      return await this.#loaded(isScenePath(text) ? this.#named(group, 'scene', text) : text);
    } catch (error) {
      if (!(error instanceof SceneError)) throw error;
      this.#file.report(group.get('scene', true), `scene: ${error.message}`);
      return this.#loaded(usualScene);
    }
  }

  /** Groups with the same scene share it. @param nameOrPath a path is absolute */
  async #loaded(nameOrPath: string): Promise<Scene> {
    const known = this.#scenes.get(nameOrPath);
    if (known !== undefined) return known;
    const scene = isScenePath(nameOrPath) ? await loadScene(nameOrPath) : readyScene(nameOrPath);
    this.#scenes.set(nameOrPath, scene);
    return scene;
  }

  async #faults(group: YAMLMap): Promise<FaultPlan | undefined> {
    const text = this.#text(group, 'faults');
    if (text === undefined) return undefined;
    try {
      const path = this.#named(group, 'faults', text);
      const plan = this.#plans.get(path) ?? (await faultPlanIn(path));
      this.#plans.set(path, plan);
      return plan;
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      this.#file.report(group.get('faults', true), `faults: ${error.message}`);
      return undefined;
    }
  }

  /** The path of a file that is named as seen from the fleet file. */
  #named(group: YAMLMap, member: Member, text: string): string {
    const path = resolve(dirname(this.#path), text);
    const node = this.#file.resolved(group.get(member, true));
    if (isScalar(node)) this.files.set(node, path);
    return path;
  }

  #addressing(group: YAMLMap): Addressing | undefined {
    const port = this.#number(group, 'port', 1, mostPort);
    const address = this.#text(group, 'address');
    if (address === undefined) return port === undefined ? undefined : { firstPort: port };
    if (isLoopback(address)) return { firstAddress: address, port };
    this.#file.report(
      group.get('address', true),
      `address: expected a loopback address such as 127.0.1.1, got "${address}"`,
    );
    return undefined;
  }

  #number(group: YAMLMap, name: Member, least: number, most: number): number | undefined {
    const node = this.#file.resolved(group.get(name, true));
    if (node === undefined) return undefined;
    const value = isScalar(node) ? node.value : undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    this.#file.report(node, `${name}: expected a whole number from ${least} to ${most}`);
    return undefined;
  }

  #text(group: YAMLMap, name: Member): string | undefined {
    const node = this.#file.resolved(group.get(name, true));
    if (node === undefined) return undefined;
    if (isScalar(node) && (typeof node.value === 'string' || typeof node.value === 'number')) {
      return node.source ?? String(node.value);
    }
    this.#file.report(node, `${name}: expected a text`);
    return undefined;
  }
}
