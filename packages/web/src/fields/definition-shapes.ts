import { type Evaluation, type EvaluationGroup, extensions, type Shape } from '@azimuth/model';

const { fields } = extensions.members;

/** The shape at a path of members in the definitions; arrays stand for their items. */
export function shapeAt(...path: readonly string[]): Shape {
  return path.reduce((shape: Shape, name) => {
    const next = shape.kind === 'struct' ? shape.members[name]?.shape : undefined;
    if (next === undefined) throw new TypeError(`the definitions of fields have no member ${name}`);
    return next.kind === 'array' ? next.of : next;
  }, fields.type.shape);
}

export function unitOf(member: string): string | undefined {
  return fields.unitOf(member);
}

/** An evaluation with a member of another value. @throws Fault if it may not have this value */
export function evaluationWith(evaluation: Evaluation, member: string, value: unknown): Evaluation {
  const json = { evaluations: [{ ...evaluation, [member]: value }], groups: [] };
  return fields.type.fromJson(json, fields.name).evaluations[0] ?? evaluation;
}

/** A group with a member of another value. @throws Fault if it may not have this value */
export function groupWith(group: EvaluationGroup, member: string, value: unknown): EvaluationGroup {
  const json = { evaluations: [], groups: [{ ...group, [member]: value }] };
  return fields.type.fromJson(json, fields.name).groups[0] ?? group;
}
