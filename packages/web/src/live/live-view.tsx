import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ScannerLink } from '../connection/scanner-link.js';
import { AimDialog } from './aim-dialog.js';
import { stepBeam } from './beam-steps.js';
import { BottomLine } from './bottom-line.js';
import { fieldsLayer } from './fields-layer.js';
import { FloorPlan } from './floor-plan.js';
import { gridLayer } from './grid-layer.js';
import { Inspector } from './inspector.js';
import { Legend } from './legend.js';
import { LiveState } from './live-state.js';
import { marksLayer } from './marks-layer.js';
import { NoScan, SilentLine } from './no-scan.js';
import { ReadOut } from './read-out.js';
import { ScanLayer } from './scan-layer.js';
import { useLiveKeys } from './shortcuts.js';
import { Timeline } from './timeline.js';
import { Toolbar } from './toolbar.js';
import { TrailLayer } from './trail-layer.js';
import { ZoomButtons } from './zoom-buttons.js';

/** What the scanners see, from above, and what can be done with it. */
export function LiveView({ links }: { links: readonly ScannerLink[] }) {
  const state = useMemo(() => new LiveState(links), [links]);
  const scan = useMemo(() => new ScanLayer(state), [state]);
  const layers = useMemo(
    () => [gridLayer, fieldsLayer(state), new TrailLayer(state), scan, marksLayer(state)],
    [state, scan],
  );
  const stage = useRef<HTMLDivElement>(null);
  useEffect(() => {
    state.open();
    return () => state.close();
  }, [state]);
  useLiveKeys(state);
  const isStale = state.sources.every(({ feed, history }) => {
    return feed.state.value.kind !== 'running' && history.newest !== undefined;
  });
  return (
    <div class="live">
      <header class="live-head">
        <div>
          <h1>Live view</h1>
          <p class="soft small">What the scanner measures now, seen from above.</p>
        </div>
        <Toolbar state={state} scan={scan} stage={stage} />
      </header>
      <div class={isStale ? 'stage stale' : 'stage'} ref={stage}>
        <FloorPlan
          plan={state.plan}
          layers={layers}
          label="Floor plan with the points that the scanner sees. Arrows move it, plus and minus zoom, Enter chooses the point in the middle. Then the left and right arrows go from beam to beam, until Escape."
          onPress={(point) => state.press(point)}
          onEnter={(point) => state.press(point)}
          onStep={(steps) => !state.measuring.peek() && stepBeam(state, steps)}
        />
        <ReadOut state={state} />
        <ZoomButtons state={state} />
        <NoScan state={state} />
        <Counters state={state} stage={stage} seconds={state.seconds} />
      </div>
      <Timeline state={state} />
      <footer class="live-foot small">
        <div>
          <BottomLine state={state} />
          <SilentLine state={state} />
        </div>
        <Legend state={state} scale={scan.scale} />
      </footer>
      <Inspector state={state} />
      <AimDialog state={state} />
    </div>
  );
}

/** Tells on the canvas of the scan how drawing goes, for measurements. */
function Counters({
  state: { times },
  stage,
  seconds,
}: {
  state: LiveState;
  stage: { readonly current: HTMLDivElement | null };
  seconds: ReadonlySignal<number>;
}) {
  useEffect(() =>
    seconds.subscribe((count) => {
      const canvas = stage.current?.querySelector<HTMLCanvasElement>('canvas[data-layer="scan"]');
      if (count % 4 !== 0 || !canvas) return;
      canvas.dataset.drawn = String(times.drawn);
      canvas.dataset.medianMs = times.median.toFixed(2);
      canvas.dataset.skipped = String(times.skipped);
      canvas.dataset.mostBehind = String(times.mostBehind);
      canvas.dataset.keptUp = times.keptUp.toFixed(3);
    }),
  );
  return null;
}
