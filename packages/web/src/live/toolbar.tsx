import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { scanner, scanners } from '../connection/current.js';
import { fileNameOf, saveFile, sizeText } from '../parts/files.js';
import { Menu } from '../parts/menu.js';
import { type PlanColours, ThemeColours } from '../plan/colours.js';
import type { LiveState } from './live-state.js';
import { csvOf, drawingOf, pngOf, scansInSight } from './pictures.js';
import { ScanRecording } from './scan-feed.js';
import type { ScanLayer } from './scan-layer.js';
import type { ScanSource } from './scan-source.js';
import { choose, mostShown, shownOf } from './shown-scanners.js';

interface Props {
  readonly state: LiveState;
  readonly scan: ScanLayer;
  /** What holds the canvases, for pictures of them. */
  readonly stage: { readonly current: HTMLDivElement | null };
}

/** What can be done with the view. */
export function Toolbar({ state, scan, stage }: Props) {
  const { measuring } = state;
  return (
    <div class="row tools" role="toolbar" aria-label="View">
      <button
        type="button"
        aria-pressed={measuring.value}
        aria-keyshortcuts="m"
        title="Press two points: m"
        onClick={() => state.toggleMeasuring()}
      >
        Measure
      </button>
      <Colouring state={state} />
      <Trail state={state} />
      <Menu label="Show">
        <Shown shown={state.showsFields} text="Fields" />
        <Shown shown={state.showsSeen} text="Area that is seen into" />
      </Menu>
      <ShownMenu />
      <SaveMenu state={state} scan={scan} stage={stage} />
    </div>
  );
}

function Colouring({ state: { colouring, sources } }: { state: LiveState }) {
  return (
    <label>
      <span class="hidden-text">Colours of points</span>
      <select
        value={colouring.value}
        onChange={({ currentTarget: { value } }) => {
          colouring.value = value === 'echo' || value === 'scanner' ? value : 'strength';
        }}
      >
        <option value="strength">Colour: RSSI</option>
        <option value="echo">Colour: echo</option>
        <option value="scanner">Colour: {sources.length > 1 ? 'scanner' : 'one'}</option>
      </select>
    </label>
  );
}

function Trail({ state: { trail } }: { state: LiveState }) {
  return (
    <label>
      <span class="hidden-text">Trail</span>
      <select
        value={String(trail.value)}
        onChange={({ currentTarget: { value } }) => {
          trail.value = Number(value);
        }}
      >
        <option value="0">Trail: none</option>
        {[1, 3, 10].map((seconds) => (
          <option key={seconds} value={String(seconds)}>
            Trail: {seconds} s
          </option>
        ))}
      </select>
    </label>
  );
}

function Shown({ shown, text }: { shown: Signal<boolean>; text: string }) {
  return (
    <label class="row">
      <input
        type="checkbox"
        checked={shown.value}
        onChange={({ currentTarget }) => {
          shown.value = currentTarget.checked;
        }}
      />
      {text}
    </label>
  );
}

/** Saves what is in sight, and records what comes. All of it stays in this browser. */
function SaveMenu({ state, scan, stage }: Props) {
  const title = state.sources.map(({ link }) => link.title.value).join('-');
  const savePng = async () => {
    if (stage.current === null) return;
    const picture = await pngOf(stage.current, state, coloursOf(stage.current));
    if (picture !== undefined) saveFile(fileNameOf(title, 'scan', 'png'), picture, 'image/png');
  };
  const saveSvg = () => {
    if (stage.current === null) return;
    const drawing = drawingOf(state, coloursOf(stage.current), scan.scale.peek().strongest);
    saveFile(fileNameOf(title, 'scan', 'svg'), drawing, 'image/svg+xml');
  };
  const saveCsv = () => {
    const table = csvOf(
      scansInSight(state).map(({ source, scan: { number, time }, points }) => {
        return { scanner: source.link.title.peek(), number, time, points };
      }),
    );
    saveFile(fileNameOf(title, 'scan', 'csv'), table, 'text/csv');
  };
  const running = useSignal<readonly Running[]>([]);
  const record = (source: ScanSource) => {
    const { link, feed } = source;
    const serial = String(link.value('SerialNumber'));
    const isNumber = /^\d+$/.test(serial);
    const facts = { source: `${link.shownUrl}/x/scan`, ...(isNumber ? { serial: Number(serial) } : {}) };
    running.value = [...running.peek(), { source, recording: new ScanRecording(feed, facts) }];
  };
  const end = (one: Running) => {
    running.value = running.peek().filter((other) => other !== one);
    const name = fileNameOf(one.source.link.title.peek(), 'recording', 'azrec');
    saveFile(name, one.recording.end(), 'application/octet-stream');
  };
  // Whoever leaves the page keeps what was recorded.
  useEffect(() => () => running.peek().forEach(end), []);
  return (
    <>
      <Menu label="Save">
        <button type="button" class="plain" onClick={savePng}>
          Picture (PNG)
        </button>
        <button type="button" class="plain" onClick={saveSvg}>
          Drawing (SVG)
        </button>
        <button type="button" class="plain" onClick={saveCsv}>
          Points of this scan (CSV)
        </button>
        {state.sources
          .filter((source) => !running.value.some((one) => one.source === source))
          .map((source) => (
            <button type="button" class="plain" key={source.link.url} onClick={() => record(source)}>
              Record telegrams{state.sources.length > 1 ? ` of ${source.link.title.value}` : ''}
            </button>
          ))}
      </Menu>
      {running.value.map((one) => (
        <StopRecording key={one.source.link.url} running={one} end={() => end(one)} />
      ))}
    </>
  );
}

/** The colours of the theme now. */
function coloursOf(stage: HTMLElement): PlanColours {
  const theme = new ThemeColours(stage);
  theme.stop();
  return theme.colours.peek();
}

/** A recording that is under way. */
interface Running {
  readonly source: ScanSource;
  readonly recording: ScanRecording;
}

function StopRecording({ running: { source, recording }, end }: { running: Running; end: () => void }) {
  const { bytes, isFull } = recording.progress.value;
  return (
    <button
      type="button"
      class="recording"
      title={`Stops the recording of ${source.link.title.value} and saves it: azimuth serve --replay plays it`}
      onClick={end}
    >
      {isFull ? 'Full: save' : 'Stop and save'} {sizeText(bytes)}
    </button>
  );
}

/** So many scanners are listed at once. A filter finds the others. */
const mostListed = 50;

/** Chooses which scanners are in the view. Nothing if there is only one. */
function ShownMenu() {
  const filter = useSignal('');
  const all = scanners.value;
  if (all.length < 2) return null;
  const shown = shownOf(all, scanner());
  const wanted = filter.value.trim().toLowerCase();
  const found = all.filter(
    ({ title, shownAddress }) => title.value.toLowerCase().includes(wanted) || shownAddress.includes(wanted),
  );
  return (
    <Menu label={`Scanners: ${shown.length} of ${all.length}`}>
      {all.length > 8 && (
        <input
          type="search"
          aria-label="Filter scanners"
          placeholder="Filter"
          value={filter.value}
          onInput={({ currentTarget }) => {
            filter.value = currentTarget.value;
          }}
        />
      )}
      {all.length > 8 && (
        <button type="button" disabled={found.length === 0} onClick={() => choose(found)}>
          {wanted === '' ? `Show the first ${Math.min(mostShown, found.length)}` : 'Show those found'}
        </button>
      )}
      {found.slice(0, mostListed).map((link) => {
        const isShown = shown.includes(link);
        return (
          <label class="row" key={link.url}>
            <input
              type="checkbox"
              checked={isShown}
              // The view is of one scanner at least, and of so many at most.
              disabled={isShown ? shown.length === 1 : shown.length >= mostShown}
              onChange={() => choose(isShown ? shown.filter((one) => one !== link) : [...shown, link])}
            />
            {link.title.value}
          </label>
        );
      })}
      {found.length > mostListed && <p class="soft small">and {found.length - mostListed} more</p>}
    </Menu>
  );
}
