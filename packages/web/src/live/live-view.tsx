import { effect, type ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { background } from '../background/background.js';
import { backgroundLayer } from '../background/background-layer.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { enterFullScreen, isFullScreen, leaveFullScreen } from '../parts/full-screen.js';
import { useKeys } from '../parts/inputs.js';
import { Quantity } from '../parts/panels.js';
import { deviceState, Icon, StateMark } from '../parts/states.js';
import { colourNumber } from '../plan/colours.js';
import { fieldsLayer } from '../plan/field-areas.js';
import { FloorPlan, ScaleBar, ZoomButtons } from '../plan/floor-plan.js';
import { gridLayer } from '../plan/grid-layer.js';
import { angleText, signedMetres } from './beam-reading.js';
import { beforeLayer } from './before-layer.js';
import { ComparisonLegend, panelBeside } from './beside-panels.js';
import { AimDialog } from './data-route-panel.js';
import { Inspector, stepBeam } from './inspector.js';
import { LiveState } from './live-state.js';
import { marksLayer } from './marks-layer.js';
import { NoScan, SilentLine } from './no-scan.js';
import { ScanLayer, type StrengthScale } from './scan-layer.js';
import { segmentsLayer } from './segments-layer.js';
import { useShown } from './shown-scanners.js';
import { Toolbar } from './toolbar.js';
import { TrailLayer } from './trail-layer.js';
import '../style/live.css';

export default function Live() {
  const links = useShown();
  if (links === undefined) return <p class="empty">Asking which scanners there are …</p>;
  if (links.length === 0) return <p class="empty">There are no scanners.</p>;
  return <View links={links} />;
}

function View({ links }: { links: readonly ScannerLink[] }) {
  const state = useMemo(() => new LiveState(links), [links]);
  const scan = useMemo(() => new ScanLayer(state), [state]);
  const layers = useMemo(
    () => [
      backgroundLayer(background),
      gridLayer,
      fieldsLayer(state),
      segmentsLayer(state),
      new TrailLayer(state),
      beforeLayer(state.comparison),
      scan,
      marksLayer(state),
    ],
    [state, scan],
  );
  const stage = useRef<HTMLDivElement>(null);
  useEffect(() => {
    state.open();
    return () => state.close();
  }, [state]);
  useLiveKeys(state);
  useEffect(() => void background.load(), []);
  const placeByMounting = () => {
    // A picture shows the place of the machine, so scanners stand in it as they are mounted.
    if (background.shown.value !== undefined) state.byMounting.value = true;
  };
  useEffect(() => effect(placeByMounting), [state]);
  const isStale = state.sources.every(({ feed, history }) => {
    return feed.state.value.kind !== 'running' && history.newest !== undefined;
  });
  return (
    <div class="live">
      <header class="plan-head">
        <div class="hidden-on-phone">
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
          onStep={(steps) => state.measured.peek() === undefined && stepBeam(state, steps)}
        />
        <ReadOut state={state} />
        <ZoomButtons zoom={(factor) => state.plan.zoom(factor)} fit={() => state.fit()}>
          <FullScreenButton />
        </ZoomButtons>
        <NoScan state={state} />
        <Counters state={state} stage={stage} seconds={state.seconds} />
      </div>
      <Timeline state={state} />
      <footer class="live-foot small">
        <div>
          {isFullScreen.value && <DeviceState state={state} />}
          <BottomLine state={state} />
          <SilentLine state={state} />
        </div>
        <Legend state={state} scale={scan.scale} />
      </footer>
      <Inspector state={state}>{panelBeside(state)}</Inspector>
      <AimDialog state={state} />
    </div>
  );
}

function FullScreenButton() {
  const isOn = isFullScreen.value;
  const words = isOn ? 'Leave full screen' : 'Full screen';
  return (
    <button
      type="button"
      aria-label={words}
      title={`${words}: ${isOn ? 'Escape' : 'F'}`}
      aria-keyshortcuts={isOn ? 'Escape' : 'Shift+F'}
      onClick={isOn ? leaveFullScreen : enterFullScreen}
    >
      <Icon path={isOn ? 'M1 5h4V1M5 5 1 1M11 7H7v4M7 7l4 4' : 'M1 5V1h4M1 1l4 4M11 7v4H7M11 11 7 7'} />
    </button>
  );
}

/** Writes figures about drawing to the canvas of the scan, for measurements. */
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
      canvas.dataset.drawn = String(times.drawings);
      canvas.dataset.medianMs = times.median.toFixed(2);
      canvas.dataset.skipped = String(times.skipped);
      canvas.dataset.mostBehind = String(times.mostBehind);
      canvas.dataset.keptUp = times.shareInTime.toFixed(3);
    }),
  );
  return null;
}

/** Space freezes, `,` and `.` show the scan before and after, `m` measures, `f` shows everything, `F` uses the whole screen, Escape drops the choice. */
function useLiveKeys(state: LiveState): void {
  useKeys(({ ctrlKey, metaKey, altKey, defaultPrevented, key, target }) => {
    const isPressable = target instanceof Element && target.closest('button, summary, a') !== null;
    if (ctrlKey || metaKey || altKey || defaultPrevented || (key === ' ' && isPressable)) return false;
    const act = acts[key];
    act?.(state);
    return act !== undefined;
  });
}

/** Effects of keys. */
const acts: Readonly<Record<string, (state: LiveState) => void>> = {
  ' ': (state) => state.toggleFreeze(),
  ',': (state) => state.step(-1),
  '.': (state) => state.step(1),
  m: (state) => state.toggleMeasuring(),
  f: (state) => state.fit(),
  F: () => (isFullScreen.peek() ? leaveFullScreen() : enterFullScreen()),
  Escape: (state) => (isFullScreen.peek() ? leaveFullScreen() : state.drop()),
};

function ReadOut({ state }: { state: LiveState }) {
  void state.seconds.value;
  const pointer = state.plan.pointer.value;
  if (pointer === undefined) return null;
  const seen = state.seenNear(pointer);
  if (seen === undefined) {
    return (
      <p class="read-out">
        x <Quantity value={signedMetres(pointer.x, 2)} unit="m" /> y{' '}
        <Quantity value={signedMetres(pointer.y, 2)} unit="m" />
      </p>
    );
  }
  const { echo, reading } = seen;
  return (
    <p class="read-out">
      <strong>
        <Quantity value={angleText(reading.azimuth)} unit="°" />
      </strong>{' '}
      <strong>
        <Quantity value={echo.distance.toFixed(3)} unit="m" />
      </strong>{' '}
      {echo.rssi !== undefined && `RSSI ${echo.rssi} `}
      <span class="soft">
        echo {echo.echo} of {reading.echoes.length}
      </span>
      {echo.isReflector && ' · reflector'}
      {echo.isBlooming && ' · blooming'}
    </p>
  );
}

function Timeline({ state }: { state: LiveState }) {
  void state.seconds.value;
  const shownAt = state.shownAt.value;
  const isFrozen = shownAt !== undefined;
  const { from = 0, to = 0 } = state.span ?? {};
  const back = isFrozen ? Math.max(0, (to - shownAt) / 1000) : 0;
  return (
    <div class={isFrozen ? 'timeline frozen' : 'timeline'}>
      <button
        type="button"
        class="freeze"
        aria-pressed={isFrozen}
        aria-keyshortcuts="Space"
        title={isFrozen ? 'Show what the scanner sees now: space' : 'Stop the picture: space'}
        onClick={() => state.toggleFreeze()}
      >
        <Icon path={isFrozen ? 'M2 1 11 6 2 11Z' : 'M2 1h3v10H2ZM7 1h3v10H7Z'} />
        {isFrozen ? 'Go live' : 'Freeze'}
      </button>
      <button type="button" aria-label="Scan before" title="Scan before: ," onClick={() => state.step(-1)}>
        ‹
      </button>
      <input
        type="range"
        aria-label="Time that is shown"
        aria-valuetext={isFrozen ? `${back.toFixed(1)} seconds back` : 'now'}
        min={from}
        max={to}
        step="any"
        value={isFrozen ? Math.min(to, shownAt) : to}
        onInput={({ currentTarget }) => state.show(currentTarget.valueAsNumber)}
      />
      <button
        type="button"
        aria-label="Scan after"
        title="Scan after: ."
        disabled={!isFrozen}
        onClick={() => state.step(1)}
      >
        ›
      </button>
      <output class="time">
        {isFrozen ? (
          <>
            −{back.toFixed(2)}
            <span class="unit">s</span>
          </>
        ) : (
          <span class="live-mark">Live</span>
        )}
        <span class="soft small">of {((to - from) / 1000).toFixed(0)} s</span>
      </output>
    </div>
  );
}

/** State of the only scanner, where the strip of the page is hidden. */
function DeviceState({ state: { sources } }: { state: LiveState }) {
  const [source] = sources;
  if (source === undefined || sources.length > 1) return null;
  const { link } = source;
  const { severity, word } = deviceState(link.value('DeviceStatus'));
  return (
    <p>
      {link.title.value} <StateMark severity={severity}>{word}</StateMark>
    </p>
  );
}

function BottomLine({ state }: { state: LiveState }) {
  void state.seconds.value;
  const shownAt = state.shownAt.value;
  const isByScanner = state.colouring.value === 'scanner';
  return (
    <div class="bottom-line">
      {state.sources.map((source, index) => {
        const { link, feed } = source;
        const scan = source.scanAt(shownAt);
        // Of several scanners, those that send nothing have one line together.
        if (state.sources.length > 1 && feed.rate(performance.now()) === 0) return null;
        const { telegrams, late } = feed.losses;
        return (
          <p key={link.url}>
            {state.sources.length > 1 && (
              <strong class={isByScanner ? `scanner-colour scanner-colour-${colourNumber(index)}` : ''}>
                {link.title.value}
              </strong>
            )}
            <span>
              <Quantity value={feed.rate(performance.now()).toFixed(1)} unit="Hz" />
            </span>
            <span>
              <Quantity value={scan?.echoes ?? 0} unit="points" />
            </span>
            <span class="beams">
              <Quantity value={scan?.beams ?? 0} unit="beams" />
            </span>
            <span class="frame">
              <span class="soft">frame</span> {scan?.number ?? '–'}
            </span>
            <span class={telegrams > 0 ? 'lossy' : ''}>
              <Quantity value={telegrams} unit="telegrams lost" />
            </span>
            {late > 0 && (
              <span>
                <Quantity value={late} unit="scans left out here: this computer is too slow" />
              </span>
            )}
          </p>
        );
      })}
    </div>
  );
}

function Legend({ state, scale }: { state: LiveState; scale: ReadonlySignal<StrengthScale> }) {
  const colouring = state.colouring.value;
  if (state.comparison.shown.value !== undefined) {
    return (
      <div class="legend">
        <ComparisonLegend />
      </div>
    );
  }
  return (
    <div class="legend">
      {colouring === 'strength' && (
        <>
          <span>RSSI 0</span>
          <ScaleBar isDark={scale.value.isDark} />
          <span>≥ {scale.value.strongest}</span>
        </>
      )}
      {colouring === 'echo' && (
        <>
          <Shape kind="first" path="M2 2h6v6H2Z" text="echo 1" />
          <Shape kind="second" path="M1 1l8 8M9 1 1 9" text="echo 2" />
          <Shape kind="third" path="M5 0 10 5 5 10 0 5Z" text="echo 3" />
        </>
      )}
      {state.showsReflectors.value && (
        <Shape kind="reflector" path="M5 1a4 4 0 1 1 0 8A4 4 0 0 1 5 1Z" text="reflector" />
      )}
    </div>
  );
}

function Shape({ kind, path, text }: { kind: string; path: string; text: string }) {
  return (
    <span class={`shape ${kind}`}>
      <svg viewBox="-1 -1 12 12" aria-hidden="true">
        <path d={path} />
      </svg>
      {text}
    </span>
  );
}
