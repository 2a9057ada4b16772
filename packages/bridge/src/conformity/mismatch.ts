import { describeJson, Refusal, type ValueType } from '@azimuth/model';

/** Something that came, and that the interface does not have. */
export interface Mismatch {
  /** Place: `data.EtherIPAddress[2]`. */
  readonly where: string;
  readonly expected: string;
  readonly came: string;
}

/** Longest text of what came. */
const longestText = 200;

export function mismatch(where: string, expected: string, came: string): Mismatch {
  return { where, expected, came: came.slice(0, longestText) };
}

/** Describes a JSON value. A text is shown, because responses and events hold no secret where this is used. */
export function shownJson(json: unknown): string {
  return typeof json === 'string' ? JSON.stringify(json.slice(0, longestText)) : describeJson(json);
}

/** Returns the first difference between a JSON value and its declared type; undefined if it is of that type. */
export function typeMismatch(type: ValueType<unknown>, json: unknown, where: string): Mismatch | undefined {
  return refusalIn(() => type.fromJson(json, where), where);
}

/** Returns the difference that a decoder finds. It throws other errors on. */
export function refusalIn(decode: () => unknown, where: string): Mismatch | undefined {
  try {
    decode();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { at, reason } = error;
    const [, expected = 'a value that the interface allows', came = reason] =
      /^expected (.*), got (.*)$/s.exec(reason) ?? [];
    return mismatch(at === '' ? where : at, expected, came);
  }
}
