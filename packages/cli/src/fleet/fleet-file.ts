import { readFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { dirname, resolve } from 'node:path';
import { completed } from '@azimuth/client';
import { isSerialNumber } from '@azimuth/device';
import type { UnitFacts, UnitPorts } from '@azimuth/fleet';
import {
  allParameters,
  isRelease,
  isVariant,
  nearestName,
  newestRelease,
  type Release,
  releases,
  type Variable,
  type Variant,
  variants,
} from '@azimuth/model';
import { usualScene } from '@azimuth/world';
import type { FaultPlan } from '@azimuth/world/faults';
import { isScenePath, loadScene, readyScene, type Scene, SceneError } from '@azimuth/world/scene';
import { isMap, isNode, isScalar, type Scalar, visit, type YAMLMap } from 'yaml';
import { CommandFailure, unreadable } from '../command-failure.js';
import { faultPlanIn } from '../fault-plan.js';
import { YamlFile } from '../site/yaml-file.js';
import { parameterValue } from '../site/yaml-value.js';
import { type Addressing, type Numbering, portsOf, serialOf } from './numbering.js';
import { type FrontPlace, TakenPlaces } from './taken-places.js';

/** Scanners of one fleet. */
export const mostUnits = 100_000;

const mostPort = 65_535;

const isLoopback = (address: string) => isIPv4(address) && address.startsWith('127.');

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
interface Group {
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

/** A fleet file that has been read. */
export interface FleetFile {
  readonly units: readonly UnitFacts[];
  readonly yaml: YamlFile;
  /** The files that it names, by the texts that name them. */
  readonly files: ReadonlyMap<Scalar, string>;
}

/** The scanners of a fleet file. @throws as `readFleetFile` */
export async function unitsOfFile(path: string, front?: FrontPlace): Promise<readonly UnitFacts[]> {
  return (await readFleetFile(path, front)).units;
}

/**
 * @param front where the fleet itself will listen, if that is known
 * @throws CommandFailure if it cannot be read, FileMistakes with all mistakes in it and their places
 */
export async function readFleetFile(path: string, front?: FrontPlace): Promise<FleetFile> {
  const yaml = new YamlFile(path, await readFile(path, 'utf8').catch(unreadable(path)));
  yaml.throwMistakes();
  const reader = new FleetReader(yaml, path, front);
  return { units: await reader.units(), yaml, files: reader.files };
}

/** Scanners for which no file says anything else. */
export function plainUnits(count: number, first: number, ports: (index: number) => UnitPorts | undefined) {
  const scene = readyScene(usualScene);
  return Array.from({ length: count }, (_, index): UnitFacts => {
    const own = ports(index);
    return {
      serial: String(first + index),
      group: 'fleet',
      variant: 'full',
      scene,
      seed: index,
      parameters: {},
      ...(own === undefined ? {} : { ports: own }),
    };
  });
}

/** Reads the groups of a file, and reports what is wrong in them. */
class FleetReader {
  /** The files that it names, by the texts that name them. */
  readonly files = new Map<Scalar, string>();
  readonly #file: YamlFile;
  readonly #path: string;
  readonly #serials = new Map<string, string>();
  readonly #places: TakenPlaces;

  constructor(file: YamlFile, path: string, front: FrontPlace | undefined) {
    this.#file = file;
    this.#path = path;
    this.#places = new TakenPlaces(front);
  }

  async units(): Promise<readonly UnitFacts[]> {
    const root = this.#file.resolved(this.#file.document.contents);
    const groups = isMap(root) ? this.#file.resolved(root.get('groups', true)) : undefined;
    if (!isMap(root) || !isMap(groups) || groups.items.length === 0) {
      this.#file.report(root, 'expected groups, each with a count: groups: {hall: {count: 20}}');
      this.#file.throwMistakes();
      return [];
    }
    for (const { key } of root.items) {
      if (wordOf(key) !== 'groups')
        this.#file.report(key, `there is no member "${wordOf(key)}"; did you mean groups?`);
    }
    const units: UnitFacts[] = [];
    for (const { key, value } of groups.items) {
      const group = await this.#group(key, value);
      if (group !== undefined) units.push(...this.#unitsOf(group, key));
    }
    this.#file.throwMistakes();
    return units;
  }

  async #group(key: unknown, written: unknown): Promise<Group | undefined> {
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
    const release = this.#release(node);
    const variant = this.#variant(node);
    return {
      name,
      count,
      release,
      variant,
      numbering: this.#numbering(node),
      scene: await this.#scene(node),
      seed: this.#number(node, 'seed', 0, 2 ** 32 - 1) ?? 1,
      parameters: this.#parameters(node, release ?? newestRelease, variant),
      faults: await this.#faults(node),
      addressing: this.#addressing(node),
    };
  }

  #unitsOf(group: Group, key: unknown): readonly UnitFacts[] {
    const { name, count, numbering, release, variant, scene, seed, faults, addressing } = group;
    const units: UnitFacts[] = [];
    for (let index = 0; index < count; index++) {
      const serial = serialOf(numbering, index);
      if (!isSerialNumber(serial)) {
        const why = /^[a-z0-9]*$/i.test(serial)
          ? 'has more than 9 letters and digits'
          : 'is not allowed: it has 1 to 9 letters from A to Z (also small ones) and digits';
        this.#file.report(key, `${name}: the serial number "${serial}" ${why}`);
        break;
      }
      const other = this.#serials.get(serial);
      if (other !== undefined) {
        this.#file.report(
          key,
          `${name}: the serial number ${serial} is also in ${other}; choose serial or first so that they differ`,
        );
        break;
      }
      this.#serials.set(serial, name);
      const ports = addressing === undefined ? undefined : portsOf(addressing, index);
      if (ports !== undefined && !this.#exists(ports, name, key)) break;
      const taken = ports === undefined ? undefined : this.#places.take(ports, name);
      if (taken !== undefined) {
        this.#file.report(key, `${name}: ${taken}`);
        break;
      }
      units.push({
        serial,
        group: name,
        variant,
        scene,
        seed: (seed + index) % 2 ** 32,
        parameters: this.#valuesOf(group, index + 1, serial),
        ...(release === undefined ? {} : { release }),
        ...(faults === undefined ? {} : { faults }),
        ...(ports === undefined ? {} : { ports }),
      });
    }
    return units;
  }

  /** Those that count up may count too far. */
  #exists({ host, http }: UnitPorts, name: string, key: unknown): boolean {
    if (http > mostPort)
      this.#file.report(key, `${name}: its last scanners have no port: ${mostPort} is the last one`);
    else if (!isLoopback(host))
      this.#file.report(key, `${name}: ${host} is no loopback address: choose a lower address`);
    else return true;
    return false;
  }

  /** The values of a scanner. Members that are left out are those of the factory. */
  #valuesOf(
    { parameters, release = newestRelease }: Group,
    number: number,
    serial: string,
  ): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      parameters.map(([variable, node]) => {
        const since = number === 1 ? '' : ` (from scanner ${number} on)`;
        const value = filled(node, number, serial);
        const json = this.#file.perPlace(since, () => parameterValue(this.#file, variable, value));
        const factory = variable.factoryValue({ release, createdWith: release });
        return [variable.name, completed(variable.type.shape, json, factory)];
      }),
    );
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
      if (variable?.isIn({ release, variant })) return [[variable, value] as const];
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

  /** Without a pattern, the scanners of all groups are counted. */
  #numbering(group: YAMLMap): Numbering {
    const pattern = this.#text(group, 'serial');
    const first = this.#number(group, 'first', 0, 99_999_999);
    if (pattern === undefined) return { pattern: '########', first: first ?? this.#serials.size + 1 };
    return { pattern, first: first ?? 1 };
  }

  #release(group: YAMLMap): Release | undefined {
    const text = this.#text(group, 'release');
    if (text === undefined || isRelease(text)) return text;
    this.#file.report(group.get('release', true), `release: expected ${releases.join(', ')}, got "${text}"`);
    return undefined;
  }

  #variant(group: YAMLMap): Variant {
    const text = this.#text(group, 'variant') ?? 'full';
    if (isVariant(text)) return text;
    this.#file.report(
      group.get('variant', true),
      `variant: expected ${variants.join(' or ')}, got "${text}"`,
    );
    return 'full';
  }

  async #scene(group: YAMLMap): Promise<Scene> {
    const text = this.#text(group, 'scene') ?? usualScene;
    try {
      return isScenePath(text) ? await loadScene(this.#named(group, 'scene', text)) : readyScene(text);
    } catch (error) {
      if (!(error instanceof SceneError)) throw error;
      this.#file.report(group.get('scene', true), `scene: ${error.message}`);
      return readyScene(usualScene);
    }
  }

  async #faults(group: YAMLMap): Promise<FaultPlan | undefined> {
    const text = this.#text(group, 'faults');
    if (text === undefined) return undefined;
    try {
      return await faultPlanIn(this.#named(group, 'faults', text));
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
    if (isLoopback(address)) return { firstAddress: address, ...(port === undefined ? {} : { port }) };
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

/** A value with `{n}`, the number of the scanner in its group, and `{serial}` filled in. */
function filled(value: unknown, number: number, serial: string): unknown {
  if (!isNode(value)) return value;
  const copy = value.clone();
  if (!isNode(copy)) return value;
  visit(copy, {
    Scalar: (key, scalar) => {
      if (key === 'key' || typeof scalar.value !== 'string') return;
      scalar.value = scalar.value.replaceAll('{n}', String(number)).replaceAll('{serial}', serial);
    },
  });
  return copy;
}

function wordOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}
