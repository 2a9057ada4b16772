import { completed } from '@azimuth/client';
import { isSerialNumber } from '@azimuth/device';
import type { RealScannerFacts, ScannerFacts, ScannerPorts } from '@azimuth/fleet';
import { newestRelease } from '@azimuth/model';
import { isNode, visit } from 'yaml';
import type { YamlFile } from '../yaml/yaml-file.js';
import { parameterValue } from '../yaml/yaml-value.js';
import type { Group } from './fleet-group.js';
import { isLoopback, maxPort, scannerPorts, serialNumberAt } from './numbering.js';
import { type FleetPlace, UsedAddresses } from './used-addresses.js';

/** The scanners of the groups of a fleet file: their serial numbers and ports differ in all groups. */
export class GroupScanners {
  readonly #file: YamlFile;
  /** Groups by the serial numbers of their scanners. */
  readonly #serials = new Map<string, string>();
  readonly #places: UsedAddresses;

  constructor(file: YamlFile, fleetPlace: FleetPlace | undefined) {
    this.#file = file;
    this.#places = new UsedAddresses(fleetPlace);
  }

  /** Number of scanners in all groups so far. */
  get size(): number {
    return this.#serials.size;
  }

  /** Adds the next group of real scanners. @param key its name in the file, for mistakes */
  addReal(scanners: readonly RealScannerFacts[], key: unknown): readonly RealScannerFacts[] {
    return scanners.filter(({ serial, group }) => {
      const other = this.#serials.get(serial);
      if (other === undefined) this.#serials.set(serial, group);
      else this.#file.report(key, `${group}: the serial number ${serial} is also in ${other}`);
      return other === undefined;
    });
  }

  /** Adds the next group. @param key its name in the file, for mistakes */
  addGroup(group: Group, key: unknown): readonly ScannerFacts[] {
    const { name, count, numbering, release, variant, scene, seed, faults, addressing, world } = group;
    const { synchronised, asDevice } = group;
    const placed = world?.scanners ?? [];
    const scanners: ScannerFacts[] = [];
    for (let index = 0; index < count; index++) {
      const place = placed[index];
      const serial = place?.serial ?? serialNumberAt(numbering, index);
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
      const ports = addressing === undefined ? undefined : scannerPorts(addressing, index);
      if (ports !== undefined && !this.#exists(ports, name, key)) break;
      const conflict = ports === undefined ? undefined : this.#places.reserve(ports, name);
      if (conflict !== undefined) {
        this.#file.report(key, `${name}: ${conflict}`);
        break;
      }
      const scanner: ScannerFacts = {
        serial,
        group: name,
        variant,
        scene,
        mount: world && place && { world, scanner: place.name },
        seed: (seed + index) % 2 ** 32,
        parameters: this.#valuesOf(group, index + 1, serial),
        release,
        faults,
        synchronised,
        asDevice,
        ports,
      };
      const mistake = this.#places.reserveStreams(scanner, name);
      if (mistake !== undefined) {
        const [, settings] = group.parameters.find(([variable]) => variable.name === mistake.settings) ?? [];
        this.#file.report(this.#file.nodeAt(settings, '.Port'), `${name}: ${mistake.why}`);
        break;
      }
      scanners.push(scanner);
    }
    return scanners;
  }

  /** Checks numbers that rise with each scanner: the last ones may be too large. */
  #exists({ host, http }: ScannerPorts, name: string, key: unknown): boolean {
    if (http > maxPort)
      this.#file.report(key, `${name}: its last scanners have no port: ${maxPort} is the last one`);
    else if (!isLoopback(host))
      this.#file.report(key, `${name}: ${host} is no loopback address: choose a lower address`);
    else return true;
    return false;
  }

  /** Returns the values of a scanner. Missing members are those of the factory. */
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
}

/** Replaces `{n}`, the number of the scanner in its group, and `{serial}` in a value. */
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
