import { readFile } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage } from '@azimuth/device/reports';
import { isObject, labelPasswords, type Product, ProductMistakes, productFrom } from '@azimuth/model';
import { CommandFailure, systemErrorText } from '../command-failure.js';

/**
 * Reads a product from a file: an ES module with a default export, or JSON, which has no hooks.
 * @throws CommandFailure with every mistake of the product and its place
 */
export async function readProduct(path: string): Promise<Product> {
  const definition = extname(path) === '.json' ? await jsonOf(path) : await defaultExportOf(path);
  try {
    const { labelsMissing, read } = await withLabels(definition, path);
    const product = productFrom(read);
    return labelsMissing === undefined ? product : Object.freeze({ ...product, labelsMissing });
  } catch (error) {
    if (!(error instanceof ProductMistakes))
      throw new CommandFailure(`--product ${path}: cannot be read: ${errorMessage(error)}`);
    throw new CommandFailure(
      [
        `--product ${path}: the product has mistakes`,
        ...error.mistakes.map((mistake) => `  ${mistake}`),
      ].join('\n'),
    );
  }
}

interface WithLabels {
  /** The definition, with the labels that were read. */
  readonly read: unknown;
  readonly labelsMissing?: string;
}

/**
 * Labels may be the name of a file, beside that of the product: a line `serial,level,password` for each password. The
 * file may be missing: only a new scanner needs it, and building firmware does not.
 */
async function withLabels(definition: unknown, path: string): Promise<WithLabels> {
  const name = isObject(definition) ? labelsIn(definition) : undefined;
  if (!isObject(definition) || name === undefined) return { read: definition };
  const file = resolve(dirname(path), name);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return {
      read: { ...definition, labels: undefined },
      labelsMissing: `labels: ${file}: ${systemErrorText(error)}`,
    };
  }
  return { read: { ...definition, labels: labelPasswords(text) } };
}

/** The name of the file of labels. What else the labels may be is checked with the whole definition. */
function labelsIn(definition: Readonly<Record<string, unknown>>): string | undefined {
  try {
    return typeof definition.labels === 'string' ? definition.labels : undefined;
  } catch {
    return undefined;
  }
}

async function jsonOf(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new CommandFailure(`--product ${path}: ${systemErrorText(error)}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandFailure(`--product ${path}: is not JSON: ${errorMessage(error)}`);
  }
}

async function defaultExportOf(path: string): Promise<unknown> {
  let module: { readonly default?: unknown };
  try {
    module = await import(pathToFileURL(resolve(path)).href);
  } catch (error) {
    const [line = ''] = errorMessage(error).split('\n', 1);
    throw new CommandFailure(`--product ${path}: cannot be loaded: ${line}`);
  }
  if (module.default === undefined) throw new CommandFailure(`--product ${path}: has no default export`);
  return module.default;
}
