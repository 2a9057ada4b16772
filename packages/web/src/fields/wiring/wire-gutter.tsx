import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { selectionAt } from '../field-editor.js';
import { type Dot, dotsOf, keyOf, type Wire } from '../wires.js';
import type { WirePen } from './wire-pen.js';

/** A line with its state, and where it begins and ends in its column: CSS pixels from the top. */
interface DrawnWire {
  readonly wire: Wire;
  readonly label: string;
  readonly traits: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** The line that follows the pointer: across in percent of the column, down in CSS pixels. */
interface LooseWire {
  readonly fixed: { readonly across: number; readonly down: number };
  readonly loose: { readonly across: number; readonly down: number };
}

/** The column of lines between two columns of boxes. Each line has a button in its middle. */
export function WireGutter({
  pen,
  kind,
  label,
  height,
  lines,
  drawn,
  select,
}: {
  pen: WirePen;
  kind: Wire['kind'];
  label: string;
  height: number;
  lines: readonly DrawnWire[];
  drawn: LooseWire | undefined;
  select: (wire: Wire) => void;
}) {
  return (
    <div class="wiring-gutter">
      <div class="lines">
        <svg
          data-gutter={kind}
          height={height}
          viewBox={`0 0 100 ${height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {lines.map(({ wire, traits, from, to }) => (
            <g key={keyOf(wire)} class={['wire', ...traits].join(' ')} data-wire={keyOf(wire)}>
              <path class="reach" d={curve(0, from, 100, to)} />
              <path class="line" d={curve(0, from, 100, to)} />
            </g>
          ))}
          {drawn !== undefined && pen.begun.value !== undefined && (
            <path
              class={`line loose ${pen.told.value?.severity ?? ''}`}
              d={curve(drawn.fixed.across, drawn.fixed.down, drawn.loose.across, drawn.loose.down)}
            />
          )}
        </svg>
        <ul aria-label={label}>
          {lines.map(({ wire, label: name, traits, from, to }) => (
            <li key={keyOf(wire)}>
              <button
                type="button"
                class={['wire-knob', ...traits].join(' ')}
                data-wire={keyOf(wire)}
                style={{ top: `${(from + to) / 2}px` }}
                aria-label={name}
                title={name}
                aria-pressed={traits.includes('selected')}
                onClick={() => select(wire)}
              />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function curve(fromX: number, fromY: number, toX: number, toY: number): string {
  const middle = (fromX + toX) / 2;
  return `M${fromX} ${fromY}C${middle} ${fromY} ${middle} ${toY} ${toX} ${toY}`;
}

/** The line that an element belongs to; undefined if it belongs to none. */
function wireAt(element: Element | null): Wire | undefined {
  const selection = selectionAt(element?.closest('[data-wire]')?.getAttribute('data-wire') ?? '');
  return selection?.kind === 'wire' ? selection.wire : undefined;
}

/** The end of a line that a press takes off its dot: the nearer one. @returns the other end, which stays */
function fixedEnd(wire: Wire, clientX: number): Dot {
  const { left = 0, width = 1 } = gutterBox(wire.kind) ?? {};
  const [start, end] = dotsOf(wire);
  return (clientX - left) / width < 0.5 ? end : start;
}

function gutterBox(kind: Wire['kind']): DOMRect | undefined {
  return document.querySelector(`[data-gutter="${kind}"]`)?.getBoundingClientRect();
}

/** The dot that an element is; undefined if it is none. */
export function dotAt(element: Element | null): Dot | undefined {
  const [kind, end, id] = element?.closest('[data-dot]')?.getAttribute('data-dot')?.split(' ') ?? [];
  if ((kind !== 'contour' && kind !== 'output') || (end !== 'from' && end !== 'to')) return undefined;
  return { kind, end, id: Number(id) };
}

/** CSS pixels that a pointer has to move until it drags. */
const leastDrag = 5;

interface Drag {
  readonly from: Dot;
  readonly moved: Wire | undefined;
  readonly startX: number;
  readonly startY: number;
  readonly x: number;
  readonly y: number;
  readonly isMoving: boolean;
}

/**
 * Draws lines with a pointer: from a dot, or from an end of a line.
 * @returns the line that is dragged in the column of this kind. `downOf` says where a dot is, in CSS pixels from the top
 */
export function useWirePointer(pen: WirePen, select: (wire: Wire) => void) {
  const drag = useSignal<Drag | undefined>(undefined);
  const selecting = useRef(select);
  selecting.current = select;
  useEffect(() => followPointer(pen, drag, (wire) => selecting.current(wire)), [pen, drag]);
  return (kind: Wire['kind'], downOf: (dot: Dot) => number): LooseWire | undefined => {
    const now = drag.value;
    const box = now?.isMoving === true && now.from.kind === kind ? gutterBox(kind) : undefined;
    if (now === undefined || box === undefined) return undefined;
    return {
      fixed: { across: now.from.end === 'from' ? 0 : 100, down: downOf(now.from) },
      loose: { across: (100 * (now.x - box.left)) / box.width, down: now.y - box.top },
    };
  };
}

function followPointer(
  pen: WirePen,
  drag: Signal<Drag | undefined>,
  select: (wire: Wire) => void,
): () => void {
  const onDown = ({ target, button, clientX, clientY }: PointerEvent) => {
    if (button !== 0 || !(target instanceof Element)) return;
    const moved = wireAt(target);
    const from = moved === undefined ? dotAt(target) : fixedEnd(moved, clientX);
    if (from === undefined) return;
    drag.value = { from, moved, startX: clientX, startY: clientY, x: clientX, y: clientY, isMoving: false };
  };
  const onMove = ({ clientX, clientY }: PointerEvent) => {
    const now = drag.peek();
    if (now === undefined) return;
    const isMoving = now.isMoving || Math.hypot(clientX - now.startX, clientY - now.startY) >= leastDrag;
    if (isMoving && !now.isMoving) pen.begin(now.from, now.moved);
    drag.value = { ...now, x: clientX, y: clientY, isMoving };
    if (isMoving) pen.hover(dotAt(document.elementFromPoint(clientX, clientY)));
  };
  const onUp = ({ clientX, clientY }: PointerEvent) => {
    const now = drag.peek();
    drag.value = undefined;
    if (now?.isMoving !== true) {
      if (now?.moved !== undefined) select(now.moved);
      return;
    }
    const target = dotAt(document.elementFromPoint(clientX, clientY));
    if (target === undefined || !pen.end(target)) pen.begun.value = undefined;
    // The press that ended here is no click.
    addEventListener('click', stopClick, { capture: true, once: true });
    setTimeout(() => removeEventListener('click', stopClick, { capture: true }));
  };
  const onCancel = () => {
    if (drag.peek()?.isMoving === true) pen.cancel();
    drag.value = undefined;
  };
  addEventListener('pointerdown', onDown);
  addEventListener('pointermove', onMove);
  addEventListener('pointerup', onUp);
  addEventListener('pointercancel', onCancel);
  return () => {
    removeEventListener('pointerdown', onDown);
    removeEventListener('pointermove', onMove);
    removeEventListener('pointerup', onUp);
    removeEventListener('pointercancel', onCancel);
  };
}

function stopClick(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}
