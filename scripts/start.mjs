// npm start [-- flags]: a scanner, from a fresh clone on.
import { prepareToStart } from './prepare.mjs';

await prepareToStart();
// npm does not pass signals on to what it starts: when it is gone, nobody wants the scanner any more.
if (process.env.npm_lifecycle_event !== undefined) {
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}

const { mainOf } = await import('../packages/cli/bin/program.js');
await mainOf('serve-main')(['serve', ...process.argv.slice(2)]);
