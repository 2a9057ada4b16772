import {
  type EvaluationGroupState,
  extensions,
  type FieldDefinitions,
  FieldState,
  fieldEvaluation,
  type Point,
  perpendicularDistance,
  type ValueOf,
} from '@azimuth/model';
import type { ReadonlySignal } from '@preact/signals';
import { type KnownValues, knownValue, typed } from '../connection/declarations.js';
import type { Severity } from '../parts/states.js';
import type { Layer, Pen } from './floor-plan.js';
import { fittingText, type LabelRoom, labelRoom } from './labels.js';
import { type Placement, placed } from './placement.js';
import { type PlanPoint, toScreen } from './plan.js';

type FieldStateNumber = (typeof FieldState)[keyof typeof FieldState];

/** A state in a word, with its severity. */
export interface StateWord {
  readonly severity: Severity;
  readonly word: string;
}

const stateWords: Readonly<Record<FieldStateNumber, StateWord>> = {
  [FieldState.NOT_CONFIGURED]: { severity: 'idle', word: 'Not on the scanner' },
  [FieldState.INACTIVE]: { severity: 'idle', word: 'Not active' },
  [FieldState.FREE]: { severity: 'good', word: 'Free' },
  [FieldState.DETECTING_INFRINGED]: { severity: 'warn', word: 'Free, detecting' },
  [FieldState.INFRINGED]: { severity: 'bad', word: 'Infringed' },
  [FieldState.DETECTING_FREE]: { severity: 'bad', word: 'Infringed, clearing' },
};

export function stateWord(state: FieldStateNumber): StateWord {
  return stateWords[state];
}

/** True if a field in this state counts as infringed. */
export function isInfringed(state: FieldStateNumber): boolean {
  return state === FieldState.INFRINGED || state === FieldState.DETECTING_FREE;
}

const { FieldEvaluationResult, FieldEvaluationGroupState } = fieldEvaluation.members;
const { perpendicularDistanceResult } = perpendicularDistance.members;

type GroupStateNumber = (typeof EvaluationGroupState)[keyof typeof EvaluationGroupState];
export type DistanceResult = ValueOf<'perpendicularDistanceResult'>['evaluations'][number];

/** The result of one field. */
export interface FieldResult {
  readonly state: FieldStateNumber;
  /** Position of the nearest object in the field, in mm in the coordinates of the machine. */
  readonly position: Point | undefined;
}

/** The results of all fields by their numbers. @param value of FieldEvaluationResult */
export function fieldResults(value: unknown): ReadonlyMap<number, FieldResult> {
  const result = typed(FieldEvaluationResult, value);
  return new Map(
    result?.EvaluationResultList.map(({ State, Positions: [position] }, index) => [
      index + 1,
      { state: State, position },
    ]),
  );
}

/** The states of all groups by their numbers. @param value of FieldEvaluationGroupState */
export function groupStates(value: unknown): ReadonlyMap<number, GroupStateNumber> {
  return new Map(typed(FieldEvaluationGroupState, value)?.map((state, index) => [index + 1, state]));
}

/** The distances by the numbers of their evaluations. @param value of perpendicularDistanceResult */
export function distanceResults(value: unknown): ReadonlyMap<number, DistanceResult> {
  const result = typed(perpendicularDistanceResult, value);
  return new Map(result?.evaluations.map((evaluation) => [evaluation.evaluationId, evaluation]));
}

const { fields } = extensions.members;

/** An area of an evaluation with its state. */
export interface Area {
  readonly id: number;
  readonly name: string;
  /** mm, in the coordinates of the scanner. */
  readonly points: FieldDefinitions['evaluations'][number]['Points'];
  readonly state: FieldStateNumber;
  /** Position of the object that infringes the area, in mm. */
  readonly object: { readonly x: number; readonly y: number } | undefined;
}

/** The scanners whose areas are drawn: a part of `LiveState`. */
interface FieldsInSight {
  readonly showsFields: ReadonlySignal<boolean>;
  readonly sources: readonly { readonly link: KnownValues; readonly placement: ReadonlySignal<Placement> }[];
}

/** CSS pixels from one line of a hatching to the next. */
const hatchGap = 9;

/**
 * The areas of all evaluations: translucent with a solid edge, dashed if they are not active. An infringed one is hatched
 * as well as coloured, and a cross marks the object in it.
 */
export function fieldsLayer(state: FieldsInSight): Layer {
  return {
    name: 'fields',
    isShown() {
      return state.showsFields.value && state.sources.some(({ link }) => areasOf(link).length > 0);
    },
    draw(pen) {
      for (const { link, placement } of state.sources) {
        for (const area of areasOf(link)) drawArea(pen, area, placement.value);
      }
    },
  };
}

/** The areas that a scanner watches; none if it does not tell them. */
export function areasOf(link: KnownValues): readonly Area[] {
  const defined = knownValue(link, fields)?.evaluations ?? [];
  const results = knownValue(link, FieldEvaluationResult);
  return defined.map(({ Id, Name, Points }) => {
    const result = results?.EvaluationResultList[Id - 1];
    const [object] = result?.Positions ?? [];
    return { id: Id, name: Name, points: Points, state: result?.State ?? FieldState.NOT_CONFIGURED, object };
  });
}

/** Names of an area on the plan, the longest text first. */
export function areaTexts(id: number, name: string, infringed: boolean): readonly string[] {
  const text = fieldText(id, name);
  return [...(infringed ? [`${text} – infringed`] : []), text, String(id)];
}

/** The number of a field, and its name if it has one. */
export function fieldText(id: number, name: string): string {
  return `${id} ${name}`.trim();
}

/** True if the scanner evaluates the area. */
export function isWatched({ state }: Area): boolean {
  return state !== FieldState.INACTIVE && state !== FieldState.NOT_CONFIGURED;
}

function drawArea(pen: Pen, area: Area, placement: Placement): void {
  const { points, state, object } = area;
  if (points.length < 2) return;
  const { context, viewport, colours } = pen;
  const places = points.map((point) => toScreen(viewport, placed(placement, point)));
  const infringed = isInfringed(state);
  const isActive = isWatched(area);
  const colour = infringed ? colours.bad : isActive ? colours.good : colours.soft;
  context.save();
  context.beginPath();
  for (const { left, top } of places) context.lineTo(left, top);
  context.closePath();
  context.fillStyle = colour;
  context.globalAlpha = isActive ? 0.12 : 0.06;
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  if (!isActive) context.setLineDash([5, 4]);
  context.stroke();
  if (infringed) {
    context.clip();
    drawHatching(pen);
  }
  context.restore();
  const room = labelRoom(places, viewport);
  if (room !== undefined) {
    drawLabel(pen, fittingText(areaTexts(area.id, area.name, infringed), room), room, colour);
  }
  if (object !== undefined && infringed) drawObject(pen, placed(placement, object), colour);
}

/** With an edge in the colour of the view, so that it can be read on lines. */
function drawLabel({ context, colours }: Pen, text: string, { left, top }: LabelRoom, colour: string): void {
  context.font = '600 12px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.strokeStyle = colours.view;
  context.lineWidth = 3;
  context.strokeText(text, left, top);
  context.fillStyle = colour;
  context.fillText(text, left, top);
}

function drawHatching({ context, viewport: { width, height } }: Pen): void {
  context.globalAlpha = 0.5;
  context.lineWidth = 1;
  context.beginPath();
  for (let left = -height; left < width; left += hatchGap) {
    context.moveTo(left, height);
    context.lineTo(left + height, 0);
  }
  context.stroke();
}

function drawObject({ context, viewport }: Pen, object: PlanPoint, colour: string) {
  const { left, top } = toScreen(viewport, object);
  context.strokeStyle = colour;
  context.lineWidth = 2.5;
  context.beginPath();
  context.moveTo(left - 6, top - 6);
  context.lineTo(left + 6, top + 6);
  context.moveTo(left + 6, top - 6);
  context.lineTo(left - 6, top + 6);
  context.stroke();
}
