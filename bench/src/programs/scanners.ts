// Scanners in one process, each of which streams to one of the ports that are its arguments. It sends a message when
// they are open. For each message that it gets, it sends the number of computed scans.
import { ScannerGroup } from '../streams/scanners.js';

const group = await ScannerGroup.open(process.argv.slice(2).map(Number));

process.on('message', () => process.send?.(group.count));
process.on('disconnect', () => process.exit());
process.send?.('open');
