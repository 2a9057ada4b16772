import { join } from 'node:path';
import type { Bench } from '../bench.js';
import { isObject } from '../json.js';
import { cores } from '../processes/children.js';
import { messageOf } from '../processes/message-of.js';
import { program } from '../processes/programs.js';
import { Collected, type Ratio, type Row } from '../result.js';
import { ratio } from '../statistics.js';

const figure = 'save p50 ms';

/** Saves without HTTP: the device's own call, and a file that is replaced durably by two kinds of calls. */
export async function savesInside(
  { folder, rounds }: Bench,
  file: string,
): Promise<{ rows: Row[]; ratios: Ratio[] }> {
  const message = await messageOf({
    core: cores.server,
    command: program('save-inside', file, join(folder, 'save-inside'), String(rounds)),
  });
  const device = collect(message, 'device', 'Device.call(WriteEeprom)');
  const bySynchronous = collect(message, 'synchronous', 'bare, synchronous calls');
  const byPromises = collect(message, 'promises', 'bare, fs/promises');
  return {
    rows: [device.row, bySynchronous.row, byPromises.row],
    ratios: [bySynchronous, byPromises].map((floor) => ({
      name: `${device.subject} to ${floor.subject}: ${figure}`,
      spread: ratio(device.values(figure), floor.values(figure)),
    })),
  };
}

/** The process tells a median (ms) for each round. */
function collect(message: unknown, name: string, subject: string): Collected {
  const values = isObject(message) ? message[name] : undefined;
  if (!Array.isArray(values)) throw new Error('the process that saves has told nothing');
  const collected = new Collected(subject, 'in one process');
  for (const value of values) collected.add({ [figure]: Number(value) });
  return collected;
}
