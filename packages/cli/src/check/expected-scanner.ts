import {
  allIds,
  type CheckSubject,
  ProfileMistakes,
  productSubject,
  profileIn,
  profileSubject,
  releaseOfProduct,
  type ScannerFacts,
  type ScannerProfile,
  type StatedEdition,
  subjectOf,
  unknownIds,
  versionOfProduct,
} from '@azimuth/check';
import { newestRelease, type Product } from '@azimuth/model';
import { nearestName } from '@azimuth/wording';
import { CommandFailure } from '../command-failure.js';
import { readTextFile } from '../input/bounded-file.js';
import { readProduct } from '../serve/product-file.js';
import type { CheckOptions } from './check-options.js';

/** What scanners are expected to be. */
export interface ExpectedScanner {
  /** What is not found out. */
  readonly stated: StatedEdition;
  /** Returns what a scanner should have. */
  subjectOf(scanner: ScannerFacts): CheckSubject;
  /** Reasons of the cases that are expected to fail. */
  readonly deviations: ReadonlyMap<string, string>;
}

/** Largest profile in bytes. */
const longestProfile = 4 * 1024 * 1024;

/**
 * Returns what the options expect: a product, a profile, or the model. With a product and a profile, the deviations of both
 * count.
 * @throws CommandFailure with all mistakes of a file
 */
export async function expectedScanner(options: CheckOptions): Promise<ExpectedScanner> {
  const profile = options.profile === undefined ? undefined : await readProfile(options.profile);
  const deviations = new Map(profile?.deviations.map(({ case: id, reason }) => [id, reason]));
  if (options.product !== undefined) {
    const product = await readProduct(options.product);
    const ofProduct = deviationsOf(product, options.product);
    return { ...expectedProduct(product), deviations: new Map([...ofProduct, ...deviations]) };
  }
  if (profile === undefined) return { stated: {}, subjectOf, deviations };
  const { release, variant } = profile;
  const subject = withMistakes(options.profile ?? '', () => profileSubject(profile));
  return { stated: { release, variant }, subjectOf: () => subject, deviations };
}

/** @throws CommandFailure for a case that does not exist */
function deviationsOf({ deviations }: Product, path: string): ReadonlyMap<string, string> {
  const [unknown] = unknownIds([...deviations.keys()]);
  if (unknown === undefined) return deviations;
  const near = nearestName(unknown, allIds());
  const question = near === undefined ? '' : `; did you mean ${near}?`;
  throw new CommandFailure(`${path}: deviations: no case is named ${unknown}${question}`);
}

function expectedProduct(product: Product): Omit<ExpectedScanner, 'deviations'> {
  return {
    stated: { release: (version) => releaseOfProduct(product, version) ?? newestRelease },
    subjectOf: ({ version, release, variant }) =>
      productSubject(product, { version: versionOfProduct(product, version), release, variant }),
  };
}

async function readProfile(path: string): Promise<ScannerProfile> {
  const text = await readTextFile(path, { limit: longestProfile, name: `the profile ${path}` });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new CommandFailure(
      `${path}: is not JSON: ${error instanceof Error ? error.message : 'unreadable'}`,
    );
  }
  return withMistakes(path, () => profileIn(json));
}

/** @throws CommandFailure with a line for each mistake */
function withMistakes<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof ProfileMistakes)) throw error;
    const lines = error.mistakes.map((mistake) => `${path}: ${mistake}`);
    throw new CommandFailure(lines.join('\n'));
  }
}
