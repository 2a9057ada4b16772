import type { Product } from '@azimuth/model';
import { InvalidArgumentError } from 'commander';
import { CommandFailure } from '../command-failure.js';
import type { Command } from '../options/command.js';
import { releaseOption } from '../options/option-values.js';

/** A version that a person has typed for an option of a command. */
interface TypedVersion {
  readonly option: 'firmware' | 'release';
  readonly typed: string | undefined;
}

/**
 * Returns the product of the file at `path`; undefined for the built-in one. Checks that it has the typed version.
 * @throws CommandFailure
 */
export async function chosenProduct(
  command: Command,
  path: string | undefined,
  { option, typed }: TypedVersion,
): Promise<Product | undefined> {
  if (path === undefined) {
    if (typed !== undefined) assertRelease(command, option, typed);
    return undefined;
  }
  const { readProduct } = await import('./product-file.js');
  const product = await readProduct(path);
  const versions = product.releases.map(({ version }) => version);
  if (typed !== undefined && !versions.includes(typed))
    throw new CommandFailure(`--${option}: expected ${versions.join(', ')} of ${path}, got "${typed}"`);
  return product;
}

/** Ends the command as for any other invalid option if this is no release. */
function assertRelease(command: Command, option: TypedVersion['option'], typed: string): void {
  try {
    releaseOption(typed);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    const isOfEnvironment = command.getOptionValueSource(option) === 'env';
    const value = isOfEnvironment
      ? `value '${typed}' from env 'AZIMUTH_${option.toUpperCase()}'`
      : `argument '${typed}'`;
    command.error(`error: option '--${option} <release>' ${value} is invalid. ${error.message}`, {
      code: error.code,
    });
  }
}
