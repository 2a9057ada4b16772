import { completed, type Scanner, sameValue } from '@azimuth/client';
import { builtInInterface } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import {
  factorySource,
  fileSource,
  isSourceWord,
  type ParameterSource,
  storedSource,
  workingSource,
} from '../parameters/parameter-source.js';
import { asDescribed } from '../scanners/described.js';
import { fileNameFor } from '../scanners/file-per-scanner.js';
import type { Target } from '../scanners/target.js';
import { SiteFile, siteTextAt } from './site-file.js';
import { siteOfTarget } from './site-of-target.js';
import type { SiteValues } from './site-values.js';

/** The two sides of a comparison. */
export type Sides = readonly [from: ParameterSource, to: ParameterSource];

/** True for the name of a site file. */
export function isSiteFile(word: string): boolean {
  return !isSourceWord(word) && /\.ya?ml$/i.test(word);
}

/** Means to read the sides. */
interface Means {
  /** The scanner, and its name; undefined if no scanner is asked. */
  readonly of?: { readonly scanner: Scanner; readonly target: Target } | undefined;
  readonly passphrase: string | undefined;
}

/**
 * Reads both sides. If one of them is a site file, both have only the parameters that it decides and the other side
 * has, as `azimuth apply` compares them.
 * @throws CommandFailure
 */
export async function sidesOf(words: readonly [string, string], means: Means): Promise<Sides> {
  const [one, other] = words.map((word) => (isSourceWord(word) ? word : fileNameFor(word, means.of?.target)));
  if (one === undefined || other === undefined) throw new CommandFailure('expected two sides');
  if (isSiteFile(one) && isSiteFile(other)) {
    throw new CommandFailure(`expected one site file, and a scanner or a backup, got ${one} and ${other}`);
  }
  if (isSiteFile(one)) return besideSite(await siteValues(one, means), await sourceOf(other, means));
  if (!isSiteFile(other)) return [await readSource(one, other, means), await readSource(other, one, means)];
  const [to, from] = besideSite(await siteValues(other, means), await sourceOf(one, means));
  return [from, to];
}

/** Returns the other side of a site file. `factory` means the factory values of the scanner. */
function sourceOf(word: string, means: Means): Promise<ParameterSource> {
  return readSource(word, 'working', means);
}

async function siteValues(path: string, { of }: Means): Promise<SiteValues> {
  if (of === undefined) throw new CommandFailure(`${path} needs a scanner to compare with`);
  const text = await siteTextAt(path);
  const site = await asDescribed([of.target], (known) => new SiteFile(path, text, known));
  return (await siteOfTarget(site, of.target)).values;
}

function besideSite(wanted: SiteValues, { values, version, known }: ParameterSource): Sides {
  const both = known.parameters.flatMap(({ name, variable }) => {
    const [now, part] = [values.get(name), wanted.get(variable.name)];
    if (now === undefined || part === undefined) return [];
    const wish = completed(variable.type.shape, variable.migrated(part), now);
    return [{ name, now, wish: sameValue(variable, wish, now) ? now : wish }];
  });
  return [
    { values: new Map(both.map(({ name, wish }) => [name, wish])), version, known },
    { values: new Map(both.map(({ name, now }) => [name, now])), version, known },
  ];
}

/** Reads the source that a word names. `factory` means the factory values for the other source. */
async function readSource(word: string, other: string, means: Means): Promise<ParameterSource> {
  const { of, passphrase } = means;
  if (!isSourceWord(word)) {
    return fileSource(word, passphrase, (await of?.scanner.description.whole()) ?? builtInInterface);
  }
  if (word === 'factory' && other !== 'factory')
    return factorySource(await readSource(other, 'factory', means));
  if (of === undefined || word === 'factory') throw new CommandFailure(`"${word}" needs another side`);
  return word === 'stored' ? storedSource(of.scanner) : workingSource(of.scanner);
}
