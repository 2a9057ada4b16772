import { parseArgs } from 'node:util';

export const measurementNames = [
  'get',
  'write',
  'start',
  'command',
  'save',
  'raycast',
  'telegram',
  'streams',
  'segments',
  'core-socket',
  'relay',
  'growth',
  'fleet',
  'fleet-adopted',
  'fleet-100000',
  'fleet-postgres',
  'fleet-postgres-large',
] as const;

export type MeasurementName = (typeof measurementNames)[number];

export interface Options {
  /** The four main paths are compared with another version, and nothing else is measured. */
  readonly compare?: { readonly reference: string | undefined };
  readonly only: readonly MeasurementName[];
  readonly rounds: number;
  readonly seconds: number;
  readonly json?: string;
}

export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

export const help = `Usage: npm run bench [-- options]
       npm run bench -- compare [COMMIT] [options]

Measures the scanner against what bounds it; docs/benchmark.md tells how.

compare measures the CPU time of reads, writes, saves and streams in turns with another commit, or with the last tag.

  --only LIST    ${measurementNames.join(', ')}; all of them unless you say otherwise
  --rounds N     rounds in which the subjects take turns; 9 unless you say otherwise
  --seconds S    measured seconds of each load; 1 unless you say otherwise
  --json FILE    writes all figures, round by round, to a file
  --help         this text

Examples:
  npm run bench                                        everything, in about fifteen minutes
  npm run bench -- --only get,write                    what a change of the request path did
  npm run bench -- --only save --rounds 9 --json s.json
  npm run bench -- compare main                        what a branch gains or loses

Exit codes: 0 all targets reached, 1 one missed, 2 wrong usage, 70 the bench itself failed.
`;

/**
 * The options; undefined if the help was requested.
 * @throws WrongUsage
 */
export function optionsOf(args: readonly string[]): Options | undefined {
  const {
    values: { only, rounds, seconds, json, help },
    positionals: [command, reference, ...more],
  } = parsed(args);
  if (help) return undefined;
  if ((command !== undefined && command !== 'compare') || more.length > 0)
    throw new WrongUsage('the only command is compare, with at most one commit');
  return {
    compare: command === undefined ? undefined : { reference },
    only: only === undefined ? measurementNames : only.split(',').map(measurementOf),
    rounds: positive('--rounds', rounds ?? '9', Number.isInteger),
    seconds: positive('--seconds', seconds ?? '1', Number.isFinite),
    json,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        only: { type: 'string' },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message : String(error));
  }
}

function measurementOf(word: string): MeasurementName {
  const found = measurementNames.find((name) => name === word.trim());
  if (found === undefined) throw new WrongUsage(`--only takes ${measurementNames.join(', ')}, not ${word}`);
  return found;
}

function positive(option: string, word: string, isRight: (value: number) => boolean): number {
  const value = Number(word);
  if (word.trim() === '' || !isRight(value) || value <= 0)
    throw new WrongUsage(`${option} takes a number above 0`);
  return value;
}
