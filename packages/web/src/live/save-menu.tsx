import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Menu } from '../parts/menu.js';
import { fileNameOf, saveFile } from '../parts/save-file.js';
import { sizeText } from '../parts/size.js';
import { type PlanColours, ThemeColours } from './colours.js';
import { csvOf } from './csv.js';
import { scansInSight } from './frame-points.js';
import type { LiveState } from './live-state.js';
import { drawingOf, pngOf } from './pictures.js';
import { ScanRecording } from './recording.js';
import type { ScanLayer } from './scan-layer.js';
import type { ScanSource } from './scan-source.js';

interface Props {
  readonly state: LiveState;
  readonly scan: ScanLayer;
  readonly stage: { readonly current: HTMLDivElement | null };
}

/** Saves what is in sight, and records what comes. All of it stays in this browser. */
export function SaveMenu({ state, scan, stage }: Props) {
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
