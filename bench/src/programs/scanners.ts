// Scanners in one process, each of which streams to one of the ports that are its arguments. Says when they are open;
// asked, it tells how many scans they have computed.
import { ScannerGroup } from '../streams/scanners.js';

const group = await ScannerGroup.open(process.argv.slice(2).map(Number));

process.on('message', () => process.send?.(group.count));
process.on('disconnect', () => process.exit());
process.send?.('open');
