// Starts scanners one after the other in this process, lets each measure and ends it. Arguments: scanners in all, and in
// a group. Tells, group by group, how long each start and each whole life took, and how much memory there was at least
// and at most: the least is what is left after a garbage collection.
import { startScanner } from '@azimuth/testing';
import type { Group } from '../in-process-group.js';

const [scanners = '', ofGroup = ''] = process.argv.slice(2);
const groups: Group[] = [];
for (let first = 0; first < Number(scanners); first += Number(ofGroup))
  groups.push(await measured(Number(ofGroup)));
process.send?.(groups);

async function measured(count: number): Promise<Group> {
  const starts: number[] = [];
  const lives: number[] = [];
  const heap: number[] = [];
  const resident: number[] = [];
  for (let number = 0; number < count; number++) {
    const begun = performance.now();
    const scanner = await startScanner();
    starts.push(performance.now() - begun);
    await scanner.write('ScanDataEnable', true);
    await scanner.advance(100);
    await scanner.close();
    lives.push(performance.now() - begun);
    const { heapUsed, rss } = process.memoryUsage();
    heap.push(heapUsed);
    resident.push(rss);
  }
  return { starts, lives, leastHeap: Math.min(...heap), mostResident: Math.max(...resident) };
}
