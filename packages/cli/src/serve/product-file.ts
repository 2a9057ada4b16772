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
    return productFrom(await withLabels(definition, path));
  } catch (error) {
    if (!(error instanceof ProductMistakes)) throw error;
    throw new CommandFailure(
      [
        `--product ${path}: the product has mistakes`,
        ...error.mistakes.map((mistake) => `  ${mistake}`),
      ].join('\n'),
    );
  }
}

/** Labels may be the name of a file, beside that of the product: a line `serial,level,password` for each password. */
async function withLabels(definition: unknown, path: string): Promise<unknown> {
  if (!isObject(definition) || typeof definition.labels !== 'string') return definition;
  const file = resolve(dirname(path), definition.labels);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new ProductMistakes([`labels: ${file}: ${systemErrorText(error)}`]);
  }
  return { ...definition, labels: labelPasswords(text) };
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
