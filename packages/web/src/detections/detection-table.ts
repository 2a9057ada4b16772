import type { Detection } from '@azimuth/model';
import { csvCell } from '../parts/files.js';

/** What a person looks for in the history. */
interface DetectionFilter {
  /** Words that all have to be in the name or the number of the field. */
  readonly typed: string;
  /** The number of the field; undefined for all. */
  readonly field: number | undefined;
}

/** The detections that a filter leaves, the newest first. @param history the oldest first, as the scanner keeps it */
export function shownDetections(
  history: readonly Detection[],
  { typed, field }: DetectionFilter,
): readonly Detection[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return history
    .filter(({ EvaluationId }) => field === undefined || EvaluationId === field)
    .filter((detection) => {
      const text = fieldText(detection).toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toReversed();
}

/** The fields that are in the history, by their numbers, each with its last name. */
export function fieldsIn(history: readonly Detection[]): ReadonlyMap<number, string> {
  const names = new Map(history.map((detection) => [detection.EvaluationId, fieldText(detection)]));
  return new Map([...names].toSorted(([one], [other]) => one - other));
}

/** The field of a detection: its number, and the name that it had. */
export function fieldText({ EvaluationId, Name }: Pick<Detection, 'EvaluationId' | 'Name'>): string {
  return `${EvaluationId} ${Name}`.trim();
}

/** A table with a line for each detection: time (ISO 8601, UTC), number and name of the field, x and y in mm. */
export function csvOfDetections(detections: readonly Detection[]): string {
  const lines = detections.map(({ Timestamp, EvaluationId, Name, Positions: [position] }) =>
    [
      isoTime(Timestamp),
      String(EvaluationId),
      Name,
      position === undefined ? '' : String(position.x),
      position === undefined ? '' : String(position.y),
    ]
      .map(csvCell)
      .join(','),
  );
  return ['time,field,name,x mm,y mm', ...lines, ''].join('\r\n');
}

/** ISO 8601, UTC. Empty for a time that no calendar has. @param at ms since 1970 UTC */
export function isoTime(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
