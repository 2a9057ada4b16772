import {
  type Evaluation,
  extensions,
  type FieldDefinitions,
  fieldRefusals,
  isObject,
  Refusal,
} from '@azimuth/model';
import { spokenReason } from './draft.js';
import { type LocatedJson, locatedJson, TextProblem } from './located-json.js';

const { fields } = extensions.members;

/** A value as JSON, with a corner in each line. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll(
    /\{\s+"x": (-?\d+),\s+"y": (-?\d+)\s+\}/g,
    '{ "x": $1, "y": $2 }',
  );
}

/**
 * Reads a contour: a list of corners, or what the maker's tool gives, `{"points": […]}`.
 * @throws TextProblem
 */
export function contourFromText(text: string): Evaluation['Points'] {
  const located = locatedJson(text);
  const { value } = located;
  const member = isObject(value)
    ? ['points', 'Points'].find((name) => Object.hasOwn(value, name))
    : undefined;
  if (!Array.isArray(value) && member === undefined) {
    throw new TextProblem(
      located.lineOf(''),
      'expected a list of corners, [{"x": …, "y": …}, …], or {"points": […]}',
    );
  }
  const points = isObject(value) && member !== undefined ? value[member] : value;
  const root = member === undefined ? '' : `.${member}`;
  const { evaluations } = checked({ evaluations: [{ Id: 1, Points: points }], groups: [] }, (at) =>
    located.lineOf(at.replace('.evaluations[0].Points', root)),
  );
  return evaluations[0]?.Points ?? [];
}

/** Reads a whole field. Its number is that of the field that it replaces. @throws TextProblem */
export function fieldFromText(text: string, id: number): Evaluation {
  const located = locatedJson(text);
  if (!isObject(located.value)) {
    throw new TextProblem(located.lineOf(''), 'expected a field: {"Name": …, "Points": […], …}');
  }
  const { evaluations } = checked({ evaluations: [{ ...located.value, Id: id }], groups: [] }, (at) =>
    located.lineOf(at.replace('.evaluations[0]', '')),
  );
  const [evaluation] = evaluations;
  if (evaluation === undefined) throw new TextProblem(1, 'expected a field');
  return evaluation;
}

/** Reads all fields and groups. @throws TextProblem */
export function definitionsFromText(text: string): FieldDefinitions {
  const located: LocatedJson = locatedJson(text);
  if (!isObject(located.value)) {
    throw new TextProblem(located.lineOf(''), 'expected {"evaluations": […], "groups": […]}');
  }
  return checked(located.value, located.lineOf);
}

/** @param lineOf the line of a place, such as `.evaluations[0].Name` */
function checked(json: unknown, lineOf: (at: string) => number): FieldDefinitions {
  try {
    const definitions = fields.type.fromJson(json, '');
    const refusal = fieldRefusals(definitions, '').next().value;
    if (refusal !== undefined) throw refusal;
    return definitions;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // A place within the value begins with its first member.
    const at = /^[.[]|^$/.test(error.at) ? error.at : `.${error.at}`;
    const [member] = /\w+$/.exec(at) ?? [];
    const what = member === undefined ? '' : `“${member}”: `;
    // The model names the struct that has such a member.
    const [, unknown] = /^unknown member (\w+)$/.exec(error.reason) ?? [];
    throw new TextProblem(
      lineOf(unknown === undefined ? at : `${at}.${unknown}`),
      what + spokenReason(error.reason),
    );
  }
}
