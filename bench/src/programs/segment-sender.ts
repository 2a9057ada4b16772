// A scanner whose sensor passes segments as they are measured, and that streams to the port that is its argument. For
// each message that it gets, it sends the segments that were passed since the last one.
import { SystemClock } from '@azimuth/device';
import { SegmentSensor } from '../streams/segment-sensor.js';
import { openScanner } from '../whole-scanner.js';

const sensor = new SegmentSensor();
await openScanner(new SystemClock(), { core: sensor, port: Number(process.argv[2]) });

process.on('message', () => process.send?.(sensor.taken()));
process.on('disconnect', () => process.exit());
process.send?.('open');
