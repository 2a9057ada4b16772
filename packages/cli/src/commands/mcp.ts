import type { Command } from '../options/command.js';
import { remark, untilInterrupted } from '../output/output.js';
import { ownProgram } from '../own-program.js';
import type { CommandEntry } from '../program.js';

interface McpCommandOptions {
  readonly device?: string;
  readonly control?: string;
}

/** `azimuth mcp`: tools for assistants. See docs/mcp.md. */
export function defineCommand(command: Command, commands: readonly CommandEntry[]): Command {
  return command
    .description(
      'Give an assistant the tools to find out what is wrong with a scanner: a server of the Model Context Protocol over standard input and output. Its tools are commands of azimuth with --json: discover, doctor, status, get, diff, a picture of the scan, timing, truth, sim and more. Most of them only read. Before one changes anything, it asks the person at the client, each time; if the client cannot ask, nothing is sent.',
    )
    .option(
      '--device <url>',
      'the scanner of a call that names none: http(s)://HOST[:PORT], or @NAME (default: http://127.0.0.1:8080, env: AZIMUTH_DEVICE)',
    )
    .option(
      '--control <url>',
      'the control port of a call that names none (default: http://127.0.0.1:9000, env: AZIMUTH_CONTROL)',
    )
    .action(async () => {
      const { serveMcp } = await import('../mcp/mcp-server.js');
      if (process.stdin.isTTY)
        remark(
          'waiting for a client of the Model Context Protocol, which starts this command by itself. Ctrl-C ends it',
        );
      const { device, control } = command.opts<McpCommandOptions>();
      const { AZIMUTH_DEVICE, AZIMUTH_CONTROL } = process.env;
      const defaults = {
        // The variable may name several scanners.
        device: device ?? (AZIMUTH_DEVICE || 'http://127.0.0.1:8080').trim().split(/\s+/),
        control: control ?? (AZIMUTH_CONTROL || 'http://127.0.0.1:9000'),
      };
      await untilInterrupted((signal) =>
        serveMcp({ program: ownProgram(), commands, defaults, environment: process.env }, signal),
      );
    })
    .withExamples('azimuth mcp --device http://192.168.0.1    (a client of MCP starts it)');
}
