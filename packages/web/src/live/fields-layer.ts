import { extensions, type FieldDefinitions, FieldState, fieldEvaluation } from '@azimuth/model';
import type { ReadonlySignal } from '@preact/signals';
import { type KnownValues, knownValue } from '../connection/known-value.js';
import { fittingText, type LabelRoom, labelRoom } from './area-label.js';
import { type FieldStateNumber, isInfringed } from './field-words.js';
import type { Layer, Pen } from './layer.js';
import { type Placement, placed } from './placement.js';
import { type PlanPoint, toScreen } from './viewport.js';

const { FieldEvaluationResult } = fieldEvaluation.members;
const { fields } = extensions.members;

/** An area of an evaluation with its state. */
export interface Area {
  readonly id: number;
  readonly name: string;
  /** mm, in the coordinates of the scanner. */
  readonly points: FieldDefinitions['evaluations'][number]['Points'];
  readonly state: FieldStateNumber;
  /** Where the object is that infringes it, in mm. */
  readonly object: { readonly x: number; readonly y: number } | undefined;
}

/** Whose areas are drawn: a part of `LiveState`. */
export interface FieldsInSight {
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

/** What an area is called on the plan: the longest text first. */
export function areaTexts({ id, name, state }: Area): readonly string[] {
  const text = fieldText(id, name);
  return [...(isInfringed(state) ? [`${text} – infringed`] : []), text, String(id)];
}

/** The number of a field, and its name if it has one. */
export function fieldText(id: number, name: string): string {
  return `${id} ${name}`.trim();
}

/** Is the scanner watching the area? */
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
    drawLabel(pen, fittingText(areaTexts(area), room), room, colour);
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
