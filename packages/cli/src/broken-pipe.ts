import { exitCodes } from './exit-code.js';

/** Whoever reads our output may have seen enough (`azimuth get --all | head`): that ends the command. */
export function endWithReaders(): void {
  if (!process.stdout.listeners('error').includes(end)) process.stdout.on('error', end);
  outlive(process.stderr);
}

/** What runs on for others does so without readers of its own. */
export function outliveReaders(): void {
  process.stdout.off('error', end);
  outlive(process.stdout);
  outlive(process.stderr);
}

function outlive(stream: NodeJS.WriteStream): void {
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
}

function end(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok.code);
  process.stderr.write(`azimuth: the output cannot be written: ${error.message}\n`);
  process.exit(exitCodes.output.code);
}

function ignore(): void {}
