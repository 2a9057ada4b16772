import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { SourceMutant } from '@azimuth/check/mutants';
import { minifySync } from 'rolldown/utils';
import { type CompiledModule, compile, NotCompiled, withoutTypes } from './compiled-module.js';
import { InvalidMutant } from './mutant-text.js';
import { fileOf, isSourcePlace } from './source-places.js';

/**
 * Compiles the file of a mutant with its fault in it.
 * @throws InvalidMutant if it is not in the sources once, is no program, or changes nothing that runs
 */
export async function plantedSource(mutant: SourceMutant): Promise<CompiledModule> {
  const refuse = (why: string) => new InvalidMutant(mutant, why);
  if (!isSourcePlace(mutant.file)) throw refuse('expected a .ts file in packages/*/src');
  const file = fileOf(mutant.file);
  if (!existsSync(file)) throw refuse('there is no such file');
  const original = await readFile(file, 'utf8');
  const text = replaced(original, mutant, refuse);
  try {
    if (asItRuns(file, text) === asItRuns(file, original))
      throw refuse('the program is the same as without it: only types, comments or blanks change');
    return await compile(file, text);
  } catch (error) {
    throw error instanceof NotCompiled ? refuse(`the file does not parse: ${error.message}`) : error;
  }
}

function replaced(original: string, { from, to }: SourceMutant, refuse: (why: string) => Error): string {
  if (from === '') throw refuse('"from" is empty');
  if (from === to) throw refuse('"from" and "to" are the same');
  const first = original.indexOf(from);
  if (first === -1) throw refuse('"from" is not in the file');
  const second = original.indexOf(from, first + 1);
  if (second !== -1)
    throw refuse(
      `"from" is in the file more than once, in lines ${lineOf(original, first)} and ${lineOf(original, second)}`,
    );
  return original.slice(0, first) + to + original.slice(first + from.length);
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** Returns the program without comments, types and blanks. @throws NotCompiled */
function asItRuns(file: string, text: string): string {
  const { code, errors } = minifySync(file, withoutTypes(file, text), {
    compress: false,
    mangle: false,
    codegen: { removeWhitespace: true, legalComments: 'none' },
  });
  const [first] = errors;
  if (first !== undefined) throw new NotCompiled(first.message);
  return code;
}
