import { type Point, sameJson } from '@azimuth/model';
import type { TargetedKeyboardEvent } from 'preact';
import type { ScannerLink } from '../connection/scanner-link.js';
import { useDrag } from '../plan/gestures.js';
import {
  millimetres,
  onScreen,
  type Plan,
  polygonPoints,
  reachOf,
  type ScreenPoint,
  type Viewport,
} from '../plan/plan.js';
import type { OutputDraft } from './output-draft.js';
import {
  dragged,
  handlesOf,
  handleText,
  lengthStepFor,
  type RegionHandle,
  stepped,
} from './region-handles.js';
import { hasRegion, keptOutlines, regionsIn } from './regions.js';

/** CSS pixels from the scanner to the handles of angles. */
const angleReach = 110;
/** CSS pixels from the edge of the view to the handles of what is beyond it. */
const edge = 16;

/** Draws the regions of the filters above the scan, and veils the rest. Handles change the filters in the draft. */
export function RegionsOverlay({ draft, link, plan }: { draft: OutputDraft; link: ScannerLink; plan: Plan }) {
  const viewport = plan.viewport.value;
  const regions = regionsIn((variable) => draft.valueOf(variable));
  const applied = regionsIn(({ name }) => link.value(name));
  const isChanged = !sameJson(regions, applied);
  const kept = keptOutlines(regions);
  return (
    <>
      <svg class="overlay regions-overlay" aria-hidden="true">
        {hasRegion(regions) && (
          <>
            <Veil outlines={kept} viewport={viewport} />
            <Outlines kind={isChanged ? 'changed' : 'kept'} outlines={kept} viewport={viewport} />
          </>
        )}
        {isChanged && hasRegion(applied) && (
          <Outlines kind="applied" outlines={keptOutlines(applied)} viewport={viewport} />
        )}
      </svg>
      <div class="handles regions">
        {handlesOf(regions, reachOf(viewport, angleReach)).map((handle) => (
          <Handle key={handle.name} handle={handle} draft={draft} plan={plan} />
        ))}
      </div>
    </>
  );
}

type OutlinesOf = readonly (readonly Point[])[];

function Veil({ outlines, viewport }: { outlines: OutlinesOf; viewport: Viewport }) {
  const { width, height } = viewport;
  const holes = outlines.map((points) => `M${polygonPoints(viewport, points)}Z`);
  return <path class="veil" fill-rule="evenodd" d={`M0,0H${width}V${height}H0Z${holes.join('')}`} />;
}

function Outlines({
  kind,
  outlines,
  viewport,
}: {
  kind: 'kept' | 'changed' | 'applied';
  outlines: OutlinesOf;
  viewport: Viewport;
}) {
  return (
    <>
      {outlines.map((points, index) => (
        <polygon key={String(index)} class={`region ${kind}`} points={polygonPoints(viewport, points)} />
      ))}
    </>
  );
}

function Handle({ handle, draft, plan }: { handle: RegionHandle; draft: OutputDraft; plan: Plan }) {
  const { variable, at } = handle;
  const viewport = plan.viewport.value;
  const place = onScreen(viewport, at);
  const shown = inSight(place, viewport);
  const isBeyond = shown.left !== place.left || shown.top !== place.top;
  const drag = useDrag(plan, () => {
    const step = lengthStepFor(reachOf(plan.viewport.peek(), 1));
    return ({ gesture, by, at: pointer }) => {
      // A side beyond the view comes to the pointer.
      const to = isBeyond ? millimetres(pointer) : { x: at.x + by.x, y: at.y + by.y };
      draft.edit(variable, dragged(handle, to, step), gesture);
    };
  });
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLButtonElement>) => {
    const moved = stepped(handle, event);
    if (moved === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    draft.edit(variable, moved, `keys ${handle.name}`);
  };
  return (
    <button
      type="button"
      class={`handle${isBeyond ? ' beyond' : ''}${sideOf(shown, viewport)}`}
      aria-label={handleText(handle)}
      style={{ left: `${shown.left}px`, top: `${shown.top}px` }}
      onKeyDown={onKeyDown}
      {...drag}
    />
  );
}

/** The nearest place in the view. */
function inSight({ left, top }: ScreenPoint, { width, height }: Viewport): ScreenPoint {
  return { left: within(left, width), top: within(top, height) };
}

function within(value: number, size: number): number {
  return Math.min(Math.max(value, edge), Math.max(edge, size - edge));
}

/** CSS pixels from a side of the view within which the text of a handle would not be in sight as a whole. */
const textRoom = 140;

/** The class of a handle whose text has to stand to one side of it. */
function sideOf({ left }: ScreenPoint, { width }: Viewport): string {
  if (left < textRoom) return ' at-left';
  return left > width - textRoom ? ' at-right' : '';
}
