import { csvText } from '@azimuth/client';
import type { Detection } from '@azimuth/model';
import { hasWords } from '../parts/texts.js';
import { fieldText } from '../plan/field-areas.js';

interface DetectionFilter {
  /** Words that all have to be in the name or the number of the field. */
  readonly typed: string;
  /** The number of the field; undefined for all. */
  readonly field: number | undefined;
  /** The fields of a group; undefined for all. */
  readonly group?: readonly number[] | undefined;
}

/**
 * Returns the detections that pass a filter, the newest first.
 * @param history the oldest first, as the scanner keeps it
 */
export function shownDetections(
  history: readonly Detection[],
  { typed, field, group }: DetectionFilter,
): readonly Detection[] {
  return history
    .filter(({ EvaluationId }) => field === undefined || EvaluationId === field)
    .filter(({ EvaluationId }) => group === undefined || group.includes(EvaluationId))
    .filter(({ EvaluationId, Name }) => hasWords(fieldText(EvaluationId, Name), typed))
    .toReversed();
}

/** The fields that are in the history, by their numbers, each with its last name. */
export function fieldsIn(history: readonly Detection[]): ReadonlyMap<number, string> {
  const names = new Map(
    history.map((detection) => [detection.EvaluationId, fieldText(detection.EvaluationId, detection.Name)]),
  );
  return new Map([...names].toSorted(([one], [other]) => one - other));
}

/** The number of detections of a field. */
interface FieldCount {
  readonly field: number;
  /** Its number and its last name. */
  readonly text: string;
  readonly count: number;
}

/** Returns how many detections each field has, those with the most first. */
export function countsByField(history: readonly Detection[]): readonly FieldCount[] {
  return [...fieldsIn(history)]
    .map(([field, text]) => ({
      field,
      text,
      count: history.filter(({ EvaluationId }) => EvaluationId === field).length,
    }))
    .toSorted((one, other) => other.count - one.count);
}

/** A table with a line for each detection: time (ISO 8601, UTC), number and name of the field, x and y in mm. */
export function csvOfDetections(detections: readonly Detection[]): string {
  return csvText(
    ['time', 'field', 'name', 'x mm', 'y mm'],
    detections.map(({ Timestamp, EvaluationId, Name, Positions: [position] }) => [
      isoTime(Timestamp),
      EvaluationId,
      Name,
      position?.x ?? '',
      position?.y ?? '',
    ]),
  );
}

/** ISO 8601, UTC. Empty for a time that no calendar has. @param at ms since 1970 UTC */
export function isoTime(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
