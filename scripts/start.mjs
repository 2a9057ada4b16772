// npm start [-- flags]: a scanner, from a fresh clone on.
import { prepare } from './prepare.mjs';

prepare();
const { main } = await import('../packages/cli/dist/main.js');
await main(['serve', ...process.argv.slice(2)]);
