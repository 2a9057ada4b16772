import { isObject } from '@azimuth/model';
import { isRequestWord, LegacySplitter, parseCommand, responseWords } from '@azimuth/telegrams/legacy';
import { jsonIn } from '../control/json-in.js';
import { largestTelegram } from '../control/limits.js';
import { inOneOrder } from './recorded-answers.js';
import type { Dialogue } from './recorded-connections.js';

type Message = string | Uint8Array;

/** Events over WebSockets: a registration is answered, and followed by events of its name and `clientId`. */
export const eventDialogue: Dialogue<Message> = {
  requestIn: (message) => {
    const json = objectIn(message);
    const key = json === undefined ? String(message) : inOneOrder(json);
    return { key, topic: topicOf(json) ?? key, isAnswered: json?.type !== 'deregister', endsEvents: true };
  },
  ownerOf: (message) => {
    const json = objectIn(message);
    return { topic: topicOf(json), isAnswer: json?.type !== 'event' && json !== undefined };
  },
};

/** Telegrams of the legacy protocol, with their frames: a request is answered, and a subscription is followed by events. */
export const legacyDialogue: Dialogue<Uint8Array> = {
  requestIn: (frame) => {
    const key = Buffer.from(frame).toString('latin1');
    const command = commandIn(frame);
    if (command === undefined || !isRequestWord(command.command))
      return { key, topic: key, isAnswered: true, endsEvents: false };
    const topic = `${responseWords[command.command]} ${command.name}`;
    return { key, topic, isAnswered: true, endsEvents: command.command === 'sEN' };
  },
  ownerOf: (frame) => {
    const command = commandIn(frame);
    if (command === undefined || command.command === 'sFA')
      return { topic: undefined, isAnswer: command !== undefined };
    if (command.command === 'sSN') return { topic: `${responseWords.sEN} ${command.name}`, isAnswer: false };
    return { topic: `${command.command} ${command.name}`, isAnswer: true };
  },
};

function topicOf(json: Readonly<Record<string, unknown>> | undefined): string | undefined {
  if (json === undefined || typeof json.event !== 'string') return undefined;
  return `${json.event}\n${inOneOrder(json.clientId)}`;
}

function objectIn(message: Message): Readonly<Record<string, unknown>> | undefined {
  const json = typeof message === 'string' ? jsonIn(message) : undefined;
  return isObject(json) ? json : undefined;
}

function commandIn(frame: Uint8Array) {
  const [telegram] = new LegacySplitter(largestTelegram['from scanner']).push(frame);
  return telegram === undefined ? undefined : parseCommand(telegram);
}
