import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Menu } from '../parts/menu.js';
import { fileNameOf, saveFile } from '../parts/save-file.js';
import { ThemeColours } from './colours.js';
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
    const picture = stage.current === null ? undefined : await pngOf(stage.current);
    if (picture !== undefined) saveFile(fileNameOf(title, 'scan', 'png'), picture, 'image/png');
  };
  const saveSvg = () => {
    if (stage.current === null) return;
    const theme = new ThemeColours(stage.current);
    const drawing = drawingOf(state, theme.colours.peek(), scan.scale.peek().strongest);
    theme.stop();
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
      </Menu>
      {state.sources.map((source) => (
        <Recorder key={source.link.url} source={source} isNamed={state.sources.length > 1} />
      ))}
    </>
  );
}

/** Records the telegrams of a scanner, until it is pressed again: then the browser saves the file. */
function Recorder({ source: { link, feed }, isNamed }: { source: ScanSource; isNamed: boolean }) {
  const recording = useSignal<ScanRecording | undefined>(undefined);
  useEffect(() => () => void recording.peek()?.end(), []);
  const toggle = () => {
    const current = recording.peek();
    if (current === undefined) {
      const serial = Number(link.value('SerialNumber'));
      const facts = Number.isFinite(serial) ? { serial } : {};
      recording.value = new ScanRecording(feed, { source: `${link.url}/x/scan`, ...facts });
      return;
    }
    recording.value = undefined;
    saveFile(fileNameOf(link.title.peek(), '', 'azrec'), current.end(), 'application/octet-stream');
  };
  const progress = recording.value?.progress.value;
  const megabytes = ((progress?.bytes ?? 0) / 1e6).toFixed(1);
  return (
    <button
      type="button"
      aria-pressed={progress !== undefined}
      title="Records the telegrams, as azimuth record does: azimuth serve --replay plays them"
      onClick={toggle}
    >
      {progress === undefined
        ? `Record${isNamed ? ` ${link.title.value}` : ''}`
        : `${progress.isFull ? 'Full: save' : 'Stop, save'} ${megabytes} MB`}
    </button>
  );
}
