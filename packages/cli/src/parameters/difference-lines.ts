import type { ParameterDifference } from '@azimuth/client';
import { jsonText } from '../output/output.js';
import { formatValue, oneLineOf } from '../values/format-value.js';

/** A difference as a line: `LocationName = "Gate 3" → "Gate 4"`. */
export function lineOf(difference: ParameterDifference): string {
  const { path, from, to } = difference;
  return `${path} = ${valueText(difference, from)} → ${valueText(difference, to)}`;
}

/** A value of a difference in one line. Texts are quoted; `-` stands for a part that is not there. */
export function valueText({ shape, member, variable }: ParameterDifference, json: unknown): string {
  if (json === undefined) return '-';
  if (shape.kind === 'string') return jsonText(json);
  const unitOf = (of: string) => variable.unitOf(of === '' ? member : of);
  return oneLineOf(formatValue(shape, json, unitOf));
}
