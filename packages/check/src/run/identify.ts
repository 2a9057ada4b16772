import { concurrently } from '@azimuth/async';
import {
  builtInInterface,
  isObject,
  newestRelease,
  type Release,
  releaseOf,
  type Variant,
  variants,
} from '@azimuth/model';
import { editionSubject } from '../scanner/checked-edition.js';
import type { CheckSubject, CheckTarget } from '../scanner/checked-scanner.js';
import { partAt } from '../steps/saved-values.js';
import { Unmet } from '../steps/step-context.js';
import { HttpExchange, NoAnswer } from '../wire/http-exchange.js';
import { jsonIn } from '../wire/json-answer.js';
import type { RunContext } from './run-context.js';
import { readVariable } from './variable-access.js';

/** What a scanner says of itself. All texts are its own, cut to 64 characters: hostile until escaped. */
export interface ScannerFacts {
  readonly url: string;
  /** Name and version of DeviceIdent. */
  readonly name: string;
  readonly version: string;
  readonly serialNumber: string;
  readonly deviceType: string;
  readonly orderNumber: string;
  /** Release of the interface that it is judged by. */
  readonly release: Release;
  readonly variant: Variant;
}

/** What is stated, by a person or a profile, in place of what is found out. */
export interface StatedEdition {
  /** Also by the version that the scanner states: versions of a product are not releases. */
  readonly release?: Release | ((version: string) => Release) | undefined;
  readonly variant?: Variant | undefined;
}

/** Bounds of what is read to identify a scanner: bytes of an answer, and ms until it is there. */
const longestAnswer = 64 * 1024;
const usualTimeout = 5000;
const longestText = 64;

/** Number of reads at the same time. */
const atOnce = 4;

/**
 * Finds out what a scanner is: its release by its version, and its variant by the names that it answers.
 * @throws NoAnswer, Unmet if what answers is no scanner of this family
 */
export async function identify(target: CheckTarget, stated: StatedEdition = {}): Promise<ScannerFacts> {
  const http = new HttpExchange(target.url, target.timeoutMs ?? usualTimeout, longestAnswer);
  const subject = editionSubject(newestRelease, 'full');
  const { signal } = new AbortController();
  const context: RunContext = { target, subject, http, signal, samples: new Map() };
  try {
    const ident = await readVariable('DeviceIdent', context);
    const { Name: name, Version: version } = isObject(ident) ? ident : {};
    if (typeof name !== 'string' || typeof version !== 'string')
      throw new Unmet({ at: 'DeviceIdent', expected: 'a name and a version', came: 'something else' });
    const { release: statedRelease = releaseOf } = stated;
    const release = typeof statedRelease === 'function' ? statedRelease(version) : statedRelease;
    const [serialNumber = '', deviceType = '', orderNumber = ''] = await concurrently(
      atOnce,
      ['SerialNumber', 'DeviceType', 'OrderNumber'],
      (each) => textOf(each, context),
    );
    return {
      url: http.origin,
      name: shortened(name),
      version: shortened(version),
      serialNumber,
      deviceType,
      orderNumber,
      release,
      variant: stated.variant ?? (await variantOf(release, http)),
    };
  } finally {
    http.close();
  }
}

/** Returns what a scanner of these facts should have, by the model. */
export function subjectOf({ release, variant }: ScannerFacts): CheckSubject {
  return editionSubject(release, variant);
}

async function textOf(name: string, context: RunContext): Promise<string> {
  try {
    const value = await readVariable(name, context);
    return typeof value === 'string' || typeof value === 'number' ? shortened(String(value)) : '';
  } catch (error) {
    // What is missing is a case of its own.
    if (error instanceof Unmet || error instanceof NoAnswer) return '';
    throw error;
  }
}

/**
 * Returns the variant whose names fit best what a scanner answers; of two that fit equally, the better equipped one. So one name
 * that is missing, or there by mistake, is a failure of its case, and does not make the scanner another variant.
 */
async function variantOf(release: Release, http: HttpExchange): Promise<Variant> {
  const telling = builtInInterface.variables.filter(
    (one) => one.variant !== undefined && one.isIn({ release, variant: 'full' }),
  );
  const isThere = await concurrently(atOnce, telling, ({ name }) => isServed(name, http));
  const differences = (variant: Variant) =>
    telling.filter((one, index) => one.isIn({ release, variant }) !== isThere[index]).length;
  return variants.toSorted((one, other) => differences(one) - differences(other))[0] ?? 'full';
}

/** True unless a name answers that it is not found, or nothing that can be understood. */
export async function isServed(name: string, http: HttpExchange): Promise<boolean> {
  try {
    const answer = await http.get(`/api/${name}`);
    const status = partAt(jsonIn(answer), 'header.status');
    return typeof status === 'number' && status !== 5;
  } catch (error) {
    if (error instanceof NoAnswer) return false;
    throw error;
  }
}

function shortened(text: string): string {
  return [...text].slice(0, longestText).join('');
}
