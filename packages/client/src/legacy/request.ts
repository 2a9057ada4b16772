import {
  answerWords,
  bytesOfCharacters,
  charactersOf,
  commandBinary,
  commandText,
  type Framing,
  frameBinary,
  frameText,
  parseCommand,
} from '@azimuth/telegrams/legacy';

/** The requests by name. */
export type RequestWord = keyof typeof answerWords;

/** A request, ready to be sent. */
export interface Request {
  readonly word: RequestWord;
  readonly name: string;
  readonly frame: Uint8Array;
}

/** A request by name; without values nothing stands behind it. */
export function request(framing: Framing, word: RequestWord, name: string, values?: Uint8Array): Request {
  const frame =
    framing === 'text'
      ? frameText(commandText(word, name, values === undefined ? '' : charactersOf(values)))
      : frameBinary(commandBinary(word, name, values));
  return { word, name, frame };
}

/**
 * A telegram that somebody has written, without its frame.
 * @throws TypeError where it is no request by name, RangeError for a text that cannot be framed.
 */
export function requestOf(framing: Framing, telegram: string | Uint8Array): Request {
  const payload = typeof telegram === 'string' ? bytesOfCharacters(telegram) : telegram;
  const command = parseCommand({ framing, payload });
  if (command === undefined || !isRequestWord(command.command) || command.name === '') {
    const start = charactersOf(payload.subarray(0, 40));
    throw new TypeError(`sRN, sWN, sMN or sEN with a name expected, "${start}" came`);
  }
  const frame = framing === 'text' ? frameText(payload) : frameBinary(payload);
  return { word: command.command, name: command.name, frame };
}

function isRequestWord(word: string): word is RequestWord {
  return Object.hasOwn(answerWords, word);
}
