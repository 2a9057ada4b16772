import type { Journal } from '@azimuth/device/journal';
import type { Level } from '@azimuth/model';
import {
  charactersOf,
  type Framing,
  type LegacyCommand,
  type LegacyErrorName,
  LegacySplitter,
  type LegacyTelegram,
  parseCommand,
} from '@azimuth/telegrams/legacy';
import type { Commands } from './commands.js';

interface Options {
  readonly journal: Journal;
  readonly commands: Pick<Commands, 'mayHoldSecrets'>;
  readonly interface: 'A' | 'B';
  readonly client: string;
}

/** The requests of one session with their answers, for the journal. */
export class LegacyNotes {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Adds a request with its answer.
   * @param frame the answer as it is sent without faults
   * @param outcome the level of the session by now, and the error of a refusal
   */
  answered(
    request: LegacyTelegram,
    frame: Uint8Array,
    { level, error }: { readonly level: Level; readonly error: LegacyErrorName | undefined },
  ): void {
    const { journal, commands, client } = this.#options;
    const { framing, payload, broken } = request;
    const command = broken === undefined ? parseCommand(request) : undefined;
    const isOpen = command !== undefined && !commands.mayHoldSecrets(command.name);
    const [answer] = new LegacySplitter(frame.length).push(frame);
    const event = {
      ...({ kind: 'legacy', interface: this.#options.interface, client, framing, level } as const),
      telegram: command === undefined ? '' : headOf(command),
      values: isOpen ? shown(command.payload, framing) : undefined,
      answer: answer === undefined ? '' : answerOf(answer, isOpen),
      error,
    };
    journal.add(event, payload.length + frame.length);
  }
}

function headOf({ command, name }: LegacyCommand): string {
  return `${command} ${name}`.trimEnd();
}

/** The answer to a request whose values are shown has its values, too. An error is always shown. */
function answerOf(answer: LegacyTelegram, isOpen: boolean): string {
  const command = parseCommand(answer);
  if (command === undefined) return '';
  if (!isOpen && command.command !== 'sFA') return headOf(command);
  return `${headOf(command)} ${shown(command.payload, answer.framing).trim()}`.trimEnd();
}

/** Values as characters, or those of a binary telegram as hex digits. */
function shown(values: Uint8Array, framing: Framing): string {
  return framing === 'text' ? charactersOf(values) : Buffer.from(values).toString('hex');
}
