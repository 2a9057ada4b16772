import { expect, test } from 'vitest';
import { frameCsv } from '../../src/scan-data/frame-text.js';
import { frameOfBeams } from '../picture/room-frame.js';

test('a line for each echo; the mark of a reflector belongs to the last one of its beam', () => {
  const frame = {
    ...frameOfBeams([0, [1000, 500], [2500.5, 40]], [45], [90, [2000, 65_535]], [-138, [100, 7]]),
    properties: Uint8Array.of(1, 1, 0xe0, 0),
  };
  expect(frameCsv(frame)).toBe(
    [
      'frame,beam,echo,azimuth_deg,distance_mm,rssi,x_mm,y_mm,reflector',
      '7,0,0,0.0000,1000.0,500,1000.0,0.0,0',
      '7,0,1,0.0000,2500.5,40,2500.5,0.0,1',
      '7,2,0,90.0000,2000.0,65535,-0.0,2000.0,0',
      '7,3,0,-138.0000,100.0,7,-74.3,-66.9,0',
      '',
    ].join('\n'),
  );
});

test('values that the scanner does not send are empty', () => {
  const bare = { ...frameOfBeams([0, [1000, 500]]), rssi: undefined, properties: undefined };
  expect(frameCsv(bare).split('\n')[1]).toBe('7,0,0,0.0000,1000.0,,1000.0,0.0,0');
});
