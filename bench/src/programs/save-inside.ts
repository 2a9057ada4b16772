// Saves without HTTP, in turns: the device's own, and a file that is replaced durably by synchronous calls and by
// fs/promises. Arguments: the file whose bytes are written, a folder for all this, the number of rounds.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FolderStorage, SystemClock, SystemRandom } from '@azimuth/device';
import { Device } from '@azimuth/device/device';
import { device as deviceGroup } from '@azimuth/model';
import { replaceDurably, replaceDurablyByPromises } from '../replace-durably.js';
import { inRounds, median } from '../statistics.js';

const savesPerRound = 50;

const [file = '', folder = '', rounds = ''] = process.argv.slice(2);
const content = readFileSync(file);
const bareFolder = join(folder, 'bare');
mkdirSync(bareFolder, { recursive: true });

const silent = { info() {}, warn() {}, error() {} };
const device = await Device.open({
  identity: { serialNumber: '1' },
  clock: new SystemClock(),
  random: new SystemRandom(),
  storage: await FolderStorage.open(join(folder, 'device')),
  hardware: { log: silent, temperature: () => 20 },
  core: { start() {}, stop() {} },
  variant: 'full',
});

let saves = 0;

/** A save of a changed value: others write nothing. */
async function writeEeprom(): Promise<void> {
  device.write(deviceGroup.members.LocationName, `Hall ${saves++}`, { level: 'Service' });
  const endpoint = device.served.endpoints.get('WriteEeprom');
  if (endpoint?.kind !== 'method') throw new Error('there is no WriteEeprom');
  await device.call(endpoint, undefined, { level: 'Service' });
}

const found: Record<'device' | 'synchronous' | 'promises', number[]> = {
  device: [],
  synchronous: [],
  promises: [],
};
const turns: readonly [number[], () => void | Promise<void>][] = [
  [found.device, writeEeprom],
  [found.synchronous, () => replaceDurably(bareFolder, 'synchronous.json', content)],
  [found.promises, () => replaceDurablyByPromises(bareFolder, 'promises.json', content)],
];

async function medianOf(save: () => void | Promise<void>): Promise<number> {
  const latencies: number[] = [];
  for (let count = 0; count < savesPerRound; count++) {
    const begun = performance.now();
    await save();
    latencies.push(performance.now() - begun);
  }
  return median(latencies);
}

for (const [, save] of turns) await medianOf(save);
await inRounds(turns, Number(rounds), async ([medians, save]) => {
  medians.push(await medianOf(save));
});
await device.close();
process.send?.(found);
