import type { ExitCode } from './exit-code.js';

/** A command cannot do what it was asked for. The message is one line for the person who typed it. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';

  constructor(
    message: string,
    readonly exitCode: ExitCode = 'usage',
  ) {
    super(message);
  }
}
