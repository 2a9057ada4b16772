import { expect, test } from 'vitest';
import { LiveView } from '../../src/scan-data/live-view.js';
import { frameOfBeams } from '../picture/room-frame.js';

const losses = { telegrams: 0, frames: 0, restarts: 0, outOfOrder: 0, damaged: 0, overrun: 0 };

function watched(size: { columns?: number; rows?: number } = { columns: 60, rows: 12 }, colour = false) {
  const written: string[] = [];
  const time = { ms: 0 };
  const terminal = { ...size, write: (text: string) => written.push(text) };
  const view = new LiveView(terminal, { title: 'Gate\u001b3', colour, now: () => time.ms });
  return { view, written, time };
}

test('uses the alternate screen without a cursor, and restores both', () => {
  const { view, written } = watched();
  view.begin();
  expect(written).toEqual([
    '\u001b[?1049h\u001b[?25l\u001b[2J',
    'Gate\\u001b3: waiting for data; Ctrl-C ends',
  ]);
  written.length = 0;
  view.end();
  expect(written).toEqual(['\u001b[?25h\u001b[?1049l']);
});

test('draws ten times a second at most, and fits the terminal', () => {
  const { view, written, time } = watched();
  for (let ms = 0; ms <= 1000; ms += 20) {
    time.ms = ms;
    view.show(frameOfBeams([0, [1234, 9]]), losses);
  }
  expect(written).toHaveLength(11);
  const lines = (written.at(-1) ?? '').replace('\u001b[H', '').split('\r\n');
  expect(lines).toHaveLength(12);
  expect(lines.at(-2)).toBe('frame 7  50.0 Hz  1 beam  1 echo  lost 0  nearest 1.234 m at\u001b[K');
  expect(lines.at(-1)).toBe('Gate\\u001b3  (Ctrl-C ends)\u001b[K');
});

test('clears the screen when its size changes', () => {
  const size = { columns: 60, rows: 12 };
  const written: string[] = [];
  const time = { ms: 0 };
  const terminal = {
    get columns() {
      return size.columns;
    },
    rows: 12,
    write: (text: string) => written.push(text),
  };
  const view = new LiveView(terminal, { title: '', colour: false, now: () => time.ms });
  const frame = frameOfBeams([0, [1234, 9]]);
  for (const columns of [60, 60, 40]) {
    size.columns = columns;
    view.show(frame, losses);
    time.ms += 100;
  }
  expect(written.map((text) => text.startsWith('\u001b[2J'))).toEqual([true, false, true]);
});

test('colours echoes if colours are enabled', () => {
  const { view, written } = watched({ columns: 60, rows: 12 }, true);
  view.show(frameOfBeams([0, [1234, 9]]), losses);
  expect(written[0]).toContain('\u001b[38;5;81m');
});

test('keeps its range while the echoes change a little', () => {
  const { view, written, time } = watched({ columns: 100, rows: 12 });
  const ranges = [8000, 7000, 12_000, 9000, 3000].map((distance) => {
    view.show(frameOfBeams([0, [distance, 9]]), losses);
    time.ms += 100;
    return /range (\S+ m)/.exec(written.at(-1) ?? '')?.[1];
  });
  // 12 m and a margin make 15 m. This is enough for 9 m (10 m) too, but much too large for 3 m (4 m).
  expect(ranges).toEqual(['10 m', '10 m', '15 m', '15 m', '4 m']);
});

test('reports when no frame comes any more', () => {
  const { view, written, time } = watched();
  view.tick();
  view.show(frameOfBeams([0]), losses);
  written.length = 0;
  time.ms = 1900;
  view.tick();
  expect(written).toEqual([]);
  time.ms = 3500;
  view.tick();
  expect(written).toEqual(['\u001b[12;1Hno data for 3 s  (Ctrl-C ends)\u001b[K']);
});
