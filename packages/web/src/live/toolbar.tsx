import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { fileNameOf, saveFile } from '../parts/files.js';
import { Choice, choosing, Tick, ticking } from '../parts/inputs.js';
import { Menu } from '../parts/menu.js';
import { sizeText } from '../parts/texts.js';
import { type PlanColours, ThemeColours } from '../plan/colours.js';
import { areSettingsShown, showBackground, toggleSettings } from './beside-panels.js';
import type { LiveState } from './live-state.js';
import { csvOfScans, drawingOf, pngOf, scansInSight } from './pictures.js';
import { ScanRecording } from './scan-feed.js';
import type { ScanLayer } from './scan-layer.js';
import type { ScanSource } from './scan-source.js';
import { ShownMenu } from './shown-menu.js';

interface Props {
  readonly state: LiveState;
  readonly scan: ScanLayer;
  /** Element that contains the canvases, for pictures of them. */
  readonly stage: { readonly current: HTMLDivElement | null };
}

export function Toolbar({ state, scan, stage }: Props) {
  return (
    <div class="row tools" role="toolbar" aria-label="View">
      <button
        type="button"
        aria-pressed={state.measured.value !== undefined}
        aria-keyshortcuts="m"
        title="Press two points: m"
        onClick={() => state.toggleMeasuring()}
      >
        Measure
      </button>
      <Choice
        label="Colours of points"
        {...choosing(state.colouring)}
        options={[
          ['strength', 'Colour: RSSI'],
          ['echo', 'Colour: echo'],
          ['scanner', `Colour: ${state.sources.length > 1 ? 'scanner' : 'one'}`],
        ]}
      />
      <Choice
        label="Trail"
        {...choosing(state.trail)}
        options={[0, 1, 3, 10].map((seconds) => [
          seconds,
          `Trail: ${seconds === 0 ? 'none' : `${seconds} s`}`,
        ])}
      />
      <Menu label="Show">
        <Tick {...ticking(state.showsFields)}>Fields</Tick>
        <Tick {...ticking(state.showsSeen)}>Area that is seen into</Tick>
        <Tick {...ticking(state.showsReflectors)}>Reflectors</Tick>
        <Tick {...ticking(state.showsSegments)}>Segments of telegrams</Tick>
        <button type="button" class="plain" onClick={showBackground}>
          Background …
        </button>
      </Menu>
      <ShownMenu shown={state.sources.map(({ link }) => link)} />
      <SaveMenu state={state} scan={scan} stage={stage} />
      <button type="button" aria-pressed={areSettingsShown()} onClick={toggleSettings}>
        Settings
      </button>
    </div>
  );
}

/** Saves the view as a picture or table, and records scans. All of it stays in this browser. */
function SaveMenu({ state, scan, stage }: Props) {
  const title = state.sources.map(({ link }) => link.title.value).join('-');
  const save = (ending: string, content: BlobPart, type: string) =>
    saveFile(fileNameOf(title, 'scan', ending), content, type);
  const savePng = async () => {
    if (stage.current === null) return;
    const picture = await pngOf(stage.current, state, coloursOf(stage.current));
    if (picture !== undefined) save('png', picture, 'image/png');
  };
  const saveSvg = () => {
    if (stage.current === null) return;
    const drawing = drawingOf(state, coloursOf(stage.current), scan.scale.peek().strongest);
    save('svg', drawing, 'image/svg+xml');
  };
  const saveCsv = () => {
    const scans = scansInSight(state).map(({ source, scan: { number, time }, points }) => {
      return { scanner: source.link.title.peek(), number, time, points };
    });
    save('csv', csvOfScans(scans), 'text/csv');
  };
  const running = useSignal<readonly Running[]>([]);
  const record = (source: ScanSource) => {
    const { link, feed } = source;
    const serial = String(link.value('SerialNumber'));
    const isNumber = /^\d+$/.test(serial);
    const facts = { source: `${link.shownUrl}/x/scan`, serial: isNumber ? Number(serial) : undefined };
    running.value = [...running.peek(), { source, recording: new ScanRecording(feed, facts) }];
  };
  const end = (one: Running) => {
    running.value = running.peek().filter((other) => other !== one);
    const name = fileNameOf(one.source.link.title.peek(), 'recording', 'azrec');
    saveFile(name, one.recording.end(), 'application/octet-stream');
  };
  // A recording is saved when the person leaves the page.
  useEffect(() => () => running.peek().forEach(end), []);
  return (
    <>
      <Menu label="Save">
        {(
          [
            ['Picture (PNG)', savePng],
            ['Drawing (SVG)', saveSvg],
            ['Points of this scan (CSV)', saveCsv],
          ] as const
        ).map(([words, act]) => (
          <button key={words} type="button" class="plain" onClick={act}>
            {words}
          </button>
        ))}
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
