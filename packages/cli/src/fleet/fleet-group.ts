import { dirname, resolve } from 'node:path';
import { SystemClock } from '@azimuth/device';
import {
  allParameters,
  counted,
  isRelease,
  newestRelease,
  type Release,
  releaseMistake,
  type Variable,
  type Variant,
  variantNamed,
  variantsInWords,
} from '@azimuth/model';
import type { FaultPlan } from '@azimuth/simulation/faults';
import { usualScene } from '@azimuth/simulation/usual-core';
import {
  isScenePath,
  loadScene,
  readyScene,
  type Scene,
  SceneError,
  scannersOf,
  World,
} from '@azimuth/simulation/world';
import { nearestName } from '@azimuth/wording';
import { isMap, isNode, isScalar, type Scalar, visit, type YAMLMap } from 'yaml';
import { z } from 'zod';
import { CommandFailure } from '../command-failure.js';
import { readFaultPlan } from '../input/fault-plan.js';
import { keyText, type YamlFile } from '../yaml/yaml-file.js';
import { members, text, validMembers, wholeNumber } from '../yaml/yaml-form.js';
import {
  type Addressing,
  isLoopback,
  maxPort,
  maxScanners,
  type Numbering,
  patternProblem,
} from './numbering.js';

const release = text.transform((name, { issues }): Release => {
  if (isRelease(name)) return name;
  issues.push({ code: 'custom', message: releaseMistake(name), input: name });
  return z.NEVER;
});

const variant = text.transform((name, { issues }): Variant => {
  const named = variantNamed(name);
  if (named !== undefined) return named;
  issues.push({ code: 'custom', message: `expected ${variantsInWords}, got "${name}"`, input: name });
  return z.NEVER;
});

const address = text.refine(isLoopback, {
  error: ({ input }) => `expected a loopback address such as 127.0.1.1, got "${input}"`,
});

/** A group in a fleet file. */
const groupForm = members('expected members, at least count', {
  count: wholeNumber(1, maxScanners).optional(),
  serial: text.optional(),
  first: wholeNumber(0, 99_999_999).optional(),
  release: release.optional(),
  variant: variant.optional(),
  scene: text.optional(),
  world: text.optional(),
  seed: wholeNumber(0, 2 ** 32 - 1).optional(),
  parameters: z.record(z.string(), z.unknown(), { error: 'expected names with their values' }).optional(),
  faults: text.optional(),
  synchronised: z.boolean({ error: 'expected true or false' }).optional(),
  'as-device': z.boolean({ error: 'expected true or false' }).optional(),
  port: wholeNumber(1, maxPort).optional(),
  address: address.optional(),
});

type Member = keyof typeof groupForm.shape;

/** The valid members of a group. */
type RightMembers = ReturnType<typeof validMembers<typeof groupForm.shape>>;

/** A checked group of a fleet file. */
export interface Group {
  readonly name: string;
  readonly count: number;
  readonly numbering: Numbering;
  readonly release: Release | undefined;
  readonly variant: Variant;
  readonly scene: Scene;
  /** The world that its scanners share, with one of its scanners for each; undefined if each has one of its own. */
  readonly world: World | undefined;
  readonly seed: number;
  readonly parameters: readonly (readonly [Variable<unknown>, unknown])[];
  readonly faults: FaultPlan | undefined;
  readonly synchronised: boolean | undefined;
  readonly asDevice: boolean | undefined;
  readonly addressing: Addressing | undefined;
}

/** A file that a fleet file names. */
export interface NamedFile {
  readonly path: string;
  /** A scene that takes the place of the file, because the file needs others: the map of the scene is in it. */
  readonly scene?: Scene;
  /** The group to which it is a secret: its content is sealed for the database. */
  readonly secretOf?: string | undefined;
}

/** Reads the groups of a fleet file, and reports their mistakes. */
export class GroupReader {
  /** The files that they name, by the texts that name them. */
  readonly files = new Map<Scalar, NamedFile>();
  readonly #file: YamlFile;
  /** Path of the fleet file: other files are relative to it. */
  readonly path: string;
  readonly #scenes = new Map<string, Scene>();
  readonly #plans = new Map<string, FaultPlan>();

  /** @param path of the fleet file: other files are relative to it */
  constructor(file: YamlFile, path: string) {
    this.#file = file;
    this.path = path;
  }

  /**
   * @param before number of scanners in the groups before it
   * @returns undefined if it is not a group
   */
  async read(key: unknown, written: unknown, before: number): Promise<Group | undefined> {
    const node = this.#file.resolved(written);
    const name = keyText(key);
    if (!/^[\w.-]{1,40}$/.test(name)) {
      this.#file.report(key, `"${name}" is no name of a group: expected letters, digits, ., - and _`);
      return undefined;
    }
    if (!isMap(node)) {
      this.#file.report(key, `${name}: expected members, at least count`);
      return undefined;
    }
    const right = validMembers(this.#file, groupForm, node, { owner: { key, name } });
    const world = await this.#world(node, right);
    const { count = world?.scanners.length ?? 1, variant = 'full', seed = 1 } = right;
    if (!node.has('count') && !node.has('world')) this.#file.report(key, `${name}: count is missing`);
    const areTooMany = before + count > maxScanners;
    if (areTooMany) {
      const others = `the groups before it have ${before}, and a fleet has at most ${maxScanners} scanners`;
      this.#file.report(node.get('count', true), `count: ${count} are too many: ${others}`);
    }
    const group: Group = {
      ...{ name, count, variant, seed, release: right.release },
      ...{ synchronised: right.synchronised, asDevice: right['as-device'] },
      numbering: this.#numbering(node, { ...right, count }, before),
      scene: world?.scene ?? (await this.#scene(node, right.scene)),
      world,
      parameters: this.#parameters(node, right.release ?? newestRelease, variant),
      faults: await this.#faults(node, right.faults),
      // Ports without their address would be judged as ports of this computer.
      addressing: node.has('address') && right.address === undefined ? undefined : groupAddressing(right),
    };
    return areTooMany ? undefined : group;
  }

  #parameters(group: YAMLMap, release: Release, variant: Variant): Group['parameters'] {
    const node = this.#file.resolved(group.get('parameters', true));
    if (!isMap(node)) return [];
    return node.items.flatMap(({ key, value }) => {
      const name = keyText(key);
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

  /** Reports a misspelled placeholder: it would stay in the value. */
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

  /** Without a pattern, the numbers continue over all groups. */
  #numbering(group: YAMLMap, { serial: pattern, first, count = 1 }: RightMembers, before: number): Numbering {
    if (pattern === undefined) return { pattern: '########', first: first ?? before + 1 };
    const mistake = patternProblem(pattern, count);
    if (mistake !== undefined) this.#file.report(group.get('serial', true), `serial: ${mistake}`);
    return { pattern, first: first ?? 1 };
  }

  async #scene(group: YAMLMap, written = usualScene): Promise<Scene> {
    try {
      if (!isScenePath(written)) return await this.#loaded(written);
      const path = this.#named(group, 'scene', written);
      const scene = await this.#loaded(path);
      if (scannersOf(scene).length > 0)
        throw new SceneError('a world of several scanners; name it in the member world instead');
      const node = this.#file.resolved(group.get('scene', true));
      if (scene.map !== undefined && isScalar(node)) this.files.set(node, { path, scene });
      return scene;
    } catch (error) {
      if (!(error instanceof SceneError)) throw error;
      this.#file.report(group.get('scene', true), `scene: ${error.message}`);
      return this.#loaded(usualScene);
    }
  }

  /** Reads the world of a group. It begins now. */
  async #world(group: YAMLMap, { world: written, scene, count }: RightMembers): Promise<World | undefined> {
    if (written === undefined) return undefined;
    const report = (why: string) => void this.#file.report(group.get('world', true), `world: ${why}`);
    if (scene !== undefined) report('a group has a world or a scene, not both');
    try {
      const scene = await loadScene(this.#named(group, 'world', written));
      const world = new World({ scene, clock: new SystemClock() });
      const has = world.scanners.length;
      if (has === 0) report('expected a file with "scanners", or "vehicles" with "scanners"');
      else if (count !== undefined && count !== has)
        this.#file.report(
          group.get('count', true),
          `count: the world has ${counted(has, 'scanner')}; omit count`,
        );
      return world;
    } catch (error) {
      if (!(error instanceof SceneError)) throw error;
      report(error.message);
      return undefined;
    }
  }

  /** Returns the scene; groups with the same scene share it. @param nameOrPath a path is absolute */
  async #loaded(nameOrPath: string): Promise<Scene> {
    const known = this.#scenes.get(nameOrPath);
    if (known !== undefined) return known;
    const scene = isScenePath(nameOrPath) ? await loadScene(nameOrPath) : readyScene(nameOrPath);
    this.#scenes.set(nameOrPath, scene);
    return scene;
  }

  async #faults(group: YAMLMap, written: string | undefined): Promise<FaultPlan | undefined> {
    if (written === undefined) return undefined;
    try {
      const path = this.#named(group, 'faults', written);
      const plan = this.#plans.get(path) ?? (await readFaultPlan(path));
      this.#plans.set(path, plan);
      return plan;
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      this.#file.report(group.get('faults', true), `faults: ${error.message}`);
      return undefined;
    }
  }

  /** Returns the path of a file, relative to the fleet file. */
  #named(group: YAMLMap, member: Member, written: string): string {
    const path = resolve(dirname(this.path), written);
    const node = this.#file.resolved(group.get(member, true));
    if (isScalar(node)) this.files.set(node, { path });
    return path;
  }
}

function groupAddressing({ port, address }: RightMembers): Addressing | undefined {
  if (address !== undefined) return { firstAddress: address, port };
  return port === undefined ? undefined : { firstPort: port };
}
