import { expect, test } from 'vitest';
import { ProgressLine } from '../src/transfers/progress.js';

function screen(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

test('a terminal gets one line that is replaced completely, also by a shorter one', () => {
  const to = screen(true);
  const line = new ProgressLine(to, false);
  const tell = line.of('Sending');
  tell(0, 2_000_000);
  tell(1_000_000, 2_000_000);
  tell(1_000_001, 2_000_000);
  tell(2_000_000, 2_000_000);
  line.end();
  expect(to.written).toEqual([
    '\rSending 0 % (0.0 kB of 2.0 MB)',
    '\rSending 50 % (1.0 MB of 2.0 MB)',
    '\rSending 100 % (2.0 MB of 2.0 MB)',
    '\n',
  ]);
});

test('without a terminal, no progress is printed', () => {
  const to = screen(false);
  const line = new ProgressLine(to, false);
  line.of('Sending')(1, 2);
  line.stage('Installing');
  line.end();
  expect(to.written).toEqual([]);
});

test('if requested without a terminal, a line is printed for each tenth', () => {
  const to = screen(false);
  const tell = new ProgressLine(to, true).of('Sending');
  for (let bytes = 0; bytes <= 1000; bytes++) tell(bytes, 1000);
  expect(to.written).toHaveLength(11);
  expect(to.written[5]).toBe('Sending 50 % (0.5 kB of 1.0 kB)\n');
});

test('an unknown size is omitted', () => {
  const to = screen(true);
  new ProgressLine(to, false).of('Fetching')(1500, undefined);
  expect(to.written).toEqual(['\rFetching 1.5 kB']);
});

test('percents are printed like bytes', () => {
  const to = screen(true);
  const line = new ProgressLine(to, false);
  const tell = line.percentOf('Installing');
  for (const percent of [7.5, 7.9, 40]) tell(percent);
  line.end();
  expect(to.written).toEqual(['\rInstalling 7 %', '\rInstalling 40 %', '\n']);
});
