import { Fault, parseInput } from '@azimuth/model';
import type { LeafShape } from './control.js';
import { addressText } from './value-text.js';

/** The text in which a person edits a value. */
export function textOf(shape: LeafShape, value: unknown): string {
  if (shape.kind === 'address' && Array.isArray(value)) return addressText(shape.of, value);
  return value === undefined || value === null ? '' : String(value);
}

/** The value that a typed text stands for, or the text itself if it stands for none. */
export function valueOfText(shape: LeafShape, text: string): unknown {
  // Texts are taken letter by letter, with quotes and blanks.
  if (shape.kind === 'string') return text;
  try {
    return parseInput(shape, text);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return text;
  }
}

/** Why a typed text stands for no value; undefined if it does. */
export function whyUnreadable(shape: LeafShape, text: string): string | undefined {
  if (shape.kind === 'string') return undefined;
  try {
    parseInput(shape, text);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return text.trim() === '' ? 'a value is missing' : error.reason;
  }
}
