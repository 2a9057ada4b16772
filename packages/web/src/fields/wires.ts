import { type Evaluation, outputSourceCode, outputSourceOf, PortType, sameJson } from '@azimuth/model';
import type { Port } from '../ports/port-words.js';
import { evaluationOf, type Wired, withEvaluation } from './draft.js';

/**
 * A line of the wiring: from a field to the evaluation that watches it (`contour`), or from an evaluation to the output
 * that follows it (`output`). Fields have the lowest number of the evaluations that watch them; ports count from 1.
 */
export interface Wire {
  readonly kind: 'contour' | 'output';
  readonly from: number;
  readonly to: number;
}

/** A place where a line begins or ends. */
export interface Dot {
  readonly kind: Wire['kind'];
  readonly end: 'from' | 'to';
  readonly id: number;
}

/** A contour, with the numbers of the evaluations that watch it. */
export interface WiredField {
  readonly id: number;
  readonly name: string;
  readonly points: Evaluation['Points'];
  readonly users: readonly number[];
}

/** An evaluation, also one that only an output names. */
export interface WiredEvaluation {
  readonly id: number;
  /** Undefined if the scanner does not have it. */
  readonly evaluation: Evaluation | undefined;
}

/** The contours of all evaluations. Evaluations whose contours are the same watch the same field. */
export function fieldsIn({ definitions: { evaluations } }: Wired): readonly WiredField[] {
  const fields: WiredField[] = [];
  for (const { Id, Name, Points } of evaluations.toSorted((one, other) => one.Id - other.Id)) {
    if (Points.length === 0) continue;
    const known = fields.findIndex(({ points }) => sameJson(points, Points));
    const field = fields[known];
    if (field === undefined) fields.push({ id: Id, name: Name, points: Points, users: [Id] });
    else fields[known] = { ...field, users: [...field.users, Id] };
  }
  return fields;
}

export function evaluationsIn({ definitions, ports = [] }: Wired): readonly WiredEvaluation[] {
  const followed = ports.flatMap((port) => sourcesOf(port).map(({ number }) => number));
  const ids = new Set([...definitions.evaluations.map(({ Id }) => Id), ...followed]);
  return [...ids]
    .toSorted((one, other) => one - other)
    .map((id) => ({ id, evaluation: evaluationOf(definitions, id) }));
}

/** All lines, those to evaluations first. */
export function wiresIn(wired: Wired): readonly Wire[] {
  const toEvaluations = fieldsIn(wired).flatMap(({ id, users }) =>
    users.map((to): Wire => ({ kind: 'contour', from: id, to })),
  );
  const toPorts = (wired.ports ?? []).flatMap((port, index) =>
    [...new Set(sourcesOf(port).map(({ number }) => number))].map(
      (from): Wire => ({ kind: 'output', from, to: index + 1 }),
    ),
  );
  return [...toEvaluations, ...toPorts];
}

/** The line between two dots, whichever of them comes first; undefined if no line can join them. */
export function wireBetween(one: Dot, other: Dot): Wire | undefined {
  if (one.kind !== other.kind || one.end === other.end) return undefined;
  const [from, to] = one.end === 'from' ? [one, other] : [other, one];
  return { kind: one.kind, from: from.id, to: to.id };
}

/** The two ends of a line. */
export function dotsOf({ kind, from, to }: Wire): readonly [Dot, Dot] {
  return [
    { kind, end: 'from', id: from },
    { kind, end: 'to', id: to },
  ];
}

export function keyOf({ kind, from, to }: Wire): string {
  return `${kind}-${from}-${to}`;
}

/** Draws a line: the evaluation gets the contour of the field, or the output follows the evaluation, too. */
export function withWire(wired: Wired, { kind, from, to }: Wire): Wired {
  if (kind === 'contour') {
    const points = fieldsIn(wired).find(({ id }) => id === from)?.points;
    if (points === undefined) return wired;
    return { ...wired, definitions: withEvaluation(wired.definitions, to, { Points: points }) };
  }
  return withSources(wired, to, (sources) => [...sources, sourceOf({ kind, from, to }, false)]);
}

/** The source that an output has for a line. */
export function sourceOf({ from }: Wire, Invert: boolean): Sources[number] {
  return { Name: codeOf(from), Invert, Reserved5: 0, Reserved6: 0 };
}

/** Removes a line: the evaluation has no contour then, or the output no longer follows the evaluation. */
export function withoutWire(wired: Wired, { kind, from, to }: Wire): Wired {
  if (kind === 'contour') {
    return { ...wired, definitions: withEvaluation(wired.definitions, to, { Points: [] }) };
  }
  return withSources(wired, to, (sources) => sources.filter(({ Name }) => Name !== codeOf(from)));
}

/** Puts a line in the place of another one. What is set on the line of an output stays. */
export function withWireMoved(wired: Wired, old: Wire, next: Wire): Wired {
  if (old.kind === 'output' && old.to === next.to) {
    return withSources(wired, old.to, (sources) =>
      sources.map((source) =>
        source.Name === codeOf(old.from) ? { ...source, Name: codeOf(next.from) } : source,
      ),
    );
  }
  // The field is found by its evaluation, which may be the one that loses it.
  if (old.kind === 'contour') {
    const drawn = withWire(wired, next);
    return old.to === next.to ? drawn : withoutWire(drawn, old);
  }
  return withInverted(withoutWire(withWire(wired, next), old), next, isInverted(wired, old));
}

/** True if the output is active while the evaluation is free. */
export function isInverted({ ports }: Wired, { from, to }: Wire): boolean {
  const sources = ports?.[to - 1]?.OutputSettings.Sources ?? [];
  return sources.some(({ Name, Invert }) => Name === codeOf(from) && Invert);
}

export function withInverted(wired: Wired, { from, to }: Wire, Invert: boolean): Wired {
  return withSources(wired, to, (sources) =>
    sources.map((source) => (source.Name === codeOf(from) ? { ...source, Invert } : source)),
  );
}

type Sources = Port['OutputSettings']['Sources'];

/** Changes what a port follows. @param number of the port, from 1 */
function withSources(wired: Wired, number: number, change: (sources: Sources) => Sources): Wired {
  return withOutput(wired, number, ({ Sources }) => ({ Sources: change(Sources) }));
}

/** Changes settings of an output. @param number of the port, from 1 */
export function withOutput(
  wired: Wired,
  number: number,
  change: (settings: Port['OutputSettings']) => Partial<Port['OutputSettings']>,
): Wired {
  const ports = wired.ports?.map((port, index) =>
    index === number - 1
      ? { ...port, OutputSettings: { ...port.OutputSettings, ...change(port.OutputSettings) } }
      : port,
  );
  return { ...wired, ports };
}

function codeOf(evaluation: number): string {
  return outputSourceCode({ kind: 'FE', number: evaluation });
}

/** The evaluations that an output follows. A port of another type has such settings, but they have no effect. */
function sourcesOf({ PortType: type, OutputSettings }: Port): readonly { readonly number: number }[] {
  if (type !== PortType.OUTPUT) return [];
  return OutputSettings.Sources.flatMap(({ Name }) => {
    const source = outputSourceOf(Name);
    return source?.kind === 'FE' ? [source] : [];
  });
}
