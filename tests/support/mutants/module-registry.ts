import { fileURLToPath } from 'node:url';
import { type CompiledModule, compiledSource } from './compiled-module.js';
import { dependentsOf } from './module-graph.js';
import { fileOf, sourceOf } from './source-places.js';

/** A module in place of another, and the registry of those that do not depend on it. */
interface PlantedModule {
  readonly replacement: CompiledModule;
  readonly base: ModuleRegistry;
  /** Absolute paths of the modules that are evaluated anew. */
  readonly dependents: ReadonlySet<string>;
}

/**
 * Modules of our packages, from their sources, apart from those of the test and of other registries: what is changed in one
 * leaks nowhere. Modules of Node and of other packages are those of the process.
 */
export class ModuleRegistry {
  readonly #modules = new Map<string, Promise<object>>();
  readonly #planted: PlantedModule | undefined;

  /** @param planted takes the place of the module of its file. All modules are the repository's by default */
  constructor(planted?: PlantedModule) {
    this.#planted = planted;
  }

  /**
   * Returns a registry with another module in place of that of its file.
   * @param base has the modules that cannot differ, as they import nothing that does: they are not evaluated again
   */
  static async planted(replacement: CompiledModule, base: ModuleRegistry): Promise<ModuleRegistry> {
    return new ModuleRegistry({ replacement, base, dependents: await dependentsOf(replacement.file) });
  }

  /** Returns what a package exports: `@azimuth/testing`. @throws Error for a package that is not ours */
  async import(specifier: string): Promise<object> {
    const file = sourceOf(specifier, fileURLToPath(import.meta.url));
    if (file === undefined) throw new Error(`expected one of our packages, got ${specifier}`);
    return this.#load(file);
  }

  /** Returns what the module at a place exports: `packages/device/src/device.ts`. */
  source(place: string): Promise<object> {
    return this.#load(fileOf(place));
  }

  /** True if the module at a place has been loaded: `packages/device/src/device.ts`. */
  has(place: string): boolean {
    return this.#modules.has(fileOf(place));
  }

  #load(file: string): Promise<object> {
    const known = this.#modules.get(file);
    if (known !== undefined) return known;
    const base = this.#planted?.dependents.has(file) === false ? this.#planted.base : undefined;
    if (base !== undefined) return base.#load(file);
    const module = this.#evaluate(file);
    this.#modules.set(file, module);
    return module;
  }

  async #evaluate(file: string): Promise<object> {
    const { replacement } = this.#planted ?? {};
    const module = replacement?.file === file ? replacement : await compiledSource(file);
    return module.evaluate((source) => this.#load(source));
  }
}
