import type { Evaluation, Point } from '@azimuth/model';
import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../parts/states.js';
import { directionOfKey, useDrag } from '../plan/gestures.js';
import { onScreen, type Plan, reachOf } from '../plan/plan.js';
import { middleOfSide, snapped, snappedMove, withCornerAfter } from './contour.js';
import type { EvaluationPart, FieldEditor } from './field-editor.js';

interface Properties {
  readonly editor: FieldEditor;
  readonly plan: Plan;
  readonly evaluation: Evaluation;
}

/** CSS pixels within which another corner attracts. */
const attraction = 10;
/** CSS pixels of a side below which no corner can be inserted with the pointer: its handles would cover each other. */
const shortestSide = 36;

/** The handles of the selected evaluation: its corners, the middles of its sides, its reference line, and the whole. */
export function Handles(of: Properties) {
  const { Points, ReferenceLine } = of.evaluation;
  return (
    <div class="handles">
      {Points.map((_, index) => (
        <SideHandle key={`side ${index}`} {...of} index={index} />
      ))}
      {Points.length > 0 && <AreaHandle {...of} />}
      {Points.map((_, index) => (
        <PartHandle key={`corner ${index}`} {...of} part={{ of: 'Points', index }} />
      ))}
      {ReferenceLine.length === 2 &&
        ReferenceLine.map((_, index) => (
          <PartHandle key={`end ${index}`} {...of} part={{ of: 'ReferenceLine', index }} />
        ))}
    </div>
  );
}

function PartHandle({ editor, plan, evaluation, part }: Properties & { part: EvaluationPart }) {
  const { Id } = evaluation;
  const { of, index } = part;
  const viewport = plan.viewport.value;
  const element = useRef<HTMLButtonElement>(null);
  const point = evaluation[of][index] ?? { x: 0, y: 0 };
  const selection = editor.selection.value;
  const selected = selection?.kind === 'evaluation' ? selection.part : undefined;
  const isSelected = selected?.of === of && selected.index === index;
  useEffect(() => {
    // The focus moves only from one handle to another: an input that is typed into keeps it.
    if (isSelected && document.activeElement?.closest('.handles')) element.current?.focus();
  }, [isSelected]);
  const drag = useDrag(plan, () => {
    editor.select(Id, part);
    return ({ gesture, by }) => {
      const snap = editor.snap(reachOf(plan.viewport.peek(), attraction), Id);
      editor.movePart(Id, part, snapped({ x: point.x + by.x, y: point.y + by.y }, snap), gesture);
    };
  });
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLButtonElement>) => {
    const step = stepOfKey(event);
    if (step !== undefined) {
      editor.movePart(Id, part, { x: point.x + step.x, y: point.y + step.y }, `keys ${Id} ${of} ${index}`);
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && of === 'Points') {
      editor.deletePart(Id, part);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const { left, top } = onScreen(viewport, point);
  const name =
    of === 'Points' ? `Corner ${index + 1}` : index === 0 ? 'Begin of the line' : 'End of the line';
  return (
    <button
      ref={element}
      type="button"
      class={`handle ${of === 'Points' ? 'corner' : 'line-end'}${isSelected ? ' selected' : ''}`}
      aria-label={`${name}, x ${point.x} mm, y ${point.y} mm`}
      style={{ left: `${left}px`, top: `${top}px` }}
      onFocus={() => editor.select(Id, part)}
      onKeyDown={onKeyDown}
      {...drag}
    />
  );
}

/** The middle of a side: inserts a corner there. */
function SideHandle({ editor, plan, evaluation, index }: Properties & { index: number }) {
  const { Id, Points } = evaluation;
  const viewport = plan.viewport.value;
  const middle = middleOfSide(Points, index);
  const from = onScreen(viewport, Points[index] ?? middle);
  const to = onScreen(viewport, Points[(index + 1) % Points.length] ?? middle);
  const isShort = Math.hypot(to.left - from.left, to.top - from.top) < shortestSide;
  const insert = (gesture?: object) => {
    const inserted = { of: 'Points', index: index + 1 } as const;
    editor.editEvaluation(Id, { Points: withCornerAfter(Points, index, middle) }, gesture);
    editor.select(Id, inserted);
    return inserted;
  };
  const drag = useDrag(plan, (gesture) => {
    const inserted = insert(gesture);
    return ({ by }) => {
      const snap = editor.snap(reachOf(plan.viewport.peek(), attraction), Id);
      editor.movePart(Id, inserted, snapped({ x: middle.x + by.x, y: middle.y + by.y }, snap), gesture);
    };
  });
  const { left, top } = onScreen(viewport, middle);
  return (
    <button
      type="button"
      class={`handle side${isShort ? ' short' : ''}`}
      aria-label={`Insert a corner after corner ${index + 1}`}
      style={{ left: `${left}px`, top: `${top}px` }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        event.stopPropagation();
        insert();
      }}
      {...drag}
    >
      <Icon size={8} path="M1 4H7M4 1V7" />
    </button>
  );
}

/** Moves the whole area. It stands in the middle of its corners. */
function AreaHandle({ editor, plan, evaluation }: Properties) {
  const { Points } = evaluation;
  const drag = useDrag(plan, () => ({ gesture, by }) => {
    const snap = editor.snap(reachOf(plan.viewport.peek(), attraction), evaluation.Id);
    editor.moveArea(evaluation, snappedMove(Points, by, snap), gesture);
  });
  const { left, top } = onScreen(plan.viewport.value, {
    x: Points.reduce((sum, { x }) => sum + x, 0) / Points.length,
    y: Points.reduce((sum, { y }) => sum + y, 0) / Points.length,
  });
  return (
    <button
      type="button"
      class="handle whole"
      aria-label="Move the whole area"
      style={{ left: `${left}px`, top: `${top}px` }}
      onKeyDown={(event) => {
        const step = stepOfKey(event);
        if (step === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        editor.moveArea(evaluation, step, `keys ${evaluation.Id}`);
      }}
      {...drag}
    >
      <Icon
        size={16}
        path="M8 1V15M1 8H15M5.5 3.5 8 1 10.5 3.5M5.5 12.5 8 15 10.5 12.5M3.5 5.5 1 8 3.5 10.5M12.5 5.5 15 8 12.5 10.5"
      />
    </button>
  );
}

/** The movement in mm that an arrow key asks for: 10 mm, with shift 100 mm; undefined for other keys. */
function stepOfKey({ key, shiftKey }: KeyboardEvent): Point | undefined {
  const direction = directionOfKey(key);
  const step = shiftKey ? 100 : 10;
  return direction && { x: direction.x * step, y: direction.y * step };
}
