import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { moduleRunnerTransform } from 'rolldown/experimental';
import { transformSync } from 'rolldown/utils';
import { sourceOf } from './source-places.js';

const { nativeImport }: { readonly nativeImport: (specifier: string) => Promise<object> } = createRequire(
  import.meta.url,
)('./native-import.cjs');

/** Names that `moduleRunnerTransform` gives to what a module gets. */
const given = [
  '__vite_ssr_exports__',
  '__vite_ssr_import__',
  '__vite_ssr_dynamic_import__',
  '__vite_ssr_exportAll__',
  '__vite_ssr_import_meta__',
];

type Import = (specifier: string) => Promise<object>;

type Body = (
  exports: object,
  load: Import,
  loadLater: Import,
  exportAll: (from: object) => void,
  meta: { readonly url: string },
) => Promise<void>;

/** A source that does not become a program. */
export class NotCompiled extends Error {
  override readonly name = 'NotCompiled';
}

/** A module of our packages: compiled once, and evaluated in as many registries as there are. */
export class CompiledModule {
  readonly #script: Script;
  readonly #url: string;
  readonly #specifiers: readonly string[];
  /** Sources by specifier; undefined for modules of Node and of other packages. */
  readonly #sources = new Map<string, string | undefined>();
  /** Modules of Node and of other packages, which all registries share. */
  readonly #others = new Map<string, Promise<object>>();

  constructor(
    readonly file: string,
    code: string,
    /** What it imports, also later. */
    specifiers: readonly string[],
  ) {
    this.#specifiers = specifiers;
    this.#url = pathToFileURL(file).href;
    // On its first line, so that places in the code stay.
    this.#script = new Script(`'use strict';(async (${given.join()}) => {${code}\n})`, { filename: file });
  }

  /**
   * Runs the module.
   * @param load returns the module of another source
   * @returns what it exports
   */
  async evaluate(load: (file: string) => Promise<object>): Promise<object> {
    // A new function each time: what the engine has learnt of the objects of one registry slows down the next ones.
    const body: Body = this.#script.runInThisContext();
    const exports: object = Object.create(null);
    const loadAny: Import = (specifier) => {
      const source = this.#sourceOf(specifier);
      return source === undefined ? this.#other(specifier) : load(source);
    };
    await body(exports, loadAny, loadAny, (from) => reexport(from, exports), { url: this.#url });
    return exports;
  }

  /** The sources that it imports, also later: absolute paths. */
  get sources(): readonly string[] {
    return this.#specifiers.flatMap((specifier) => this.#sourceOf(specifier) ?? []);
  }

  #sourceOf(specifier: string): string | undefined {
    if (!this.#sources.has(specifier)) this.#sources.set(specifier, sourceOf(specifier, this.file));
    return this.#sources.get(specifier);
  }

  #other(specifier: string): Promise<object> {
    const known = this.#others.get(specifier);
    if (known !== undefined) return known;
    const other = nativeImport(specifier);
    this.#others.set(specifier, other);
    return other;
  }
}

/** Exports all names of a module except `default`, and those that the exporter has itself. */
function reexport(from: object, exports: object): void {
  for (const name of Object.keys(from)) {
    if (name === 'default' || name in exports) continue;
    Object.defineProperty(exports, name, { enumerable: true, get: () => Reflect.get(from, name) });
  }
}

const compiled = new Map<string, Promise<CompiledModule>>();

/** Returns the module of a source as it is in the repository. It is compiled at the first call. */
export function compiledSource(file: string): Promise<CompiledModule> {
  const known = compiled.get(file);
  if (known !== undefined) return known;
  const module = readFile(file, 'utf8').then((text) => compile(file, text));
  compiled.set(file, module);
  return module;
}

/** Compiles a source. @throws NotCompiled if the text is no TypeScript */
export async function compile(file: string, text: string): Promise<CompiledModule> {
  const { code, errors, deps, dynamicDeps } = await moduleRunnerTransform(file, withoutTypes(file, text));
  throwFirst(errors);
  try {
    return new CompiledModule(file, code, [...deps, ...dynamicDeps]);
  } catch (error) {
    throw error instanceof SyntaxError ? new NotCompiled(error.message) : error;
  }
}

/** Returns the JavaScript of a source. @throws NotCompiled if the text is no TypeScript */
export function withoutTypes(file: string, text: string): string {
  // As `verbatimModuleSyntax` in tsconfig.base.json.
  const { code, errors } = transformSync(file, text, {
    lang: 'ts',
    target: 'es2023',
    tsconfig: false,
    typescript: { onlyRemoveTypeImports: true },
  });
  throwFirst(errors);
  return code;
}

function throwFirst(errors: readonly { readonly message: string }[]): void {
  const [first] = errors;
  if (first !== undefined) throw new NotCompiled(first.message);
}
