import { csvText } from '@azimuth/client';
import type { Severity } from '../parts/states.js';
import { hasWords } from '../parts/texts.js';
import { categoryOf, type Message } from './message-log.js';

/** Severities of messages in words. */
export const severityWords = {
  bad: 'Error',
  warn: 'Warning',
  idle: 'Information',
  good: 'Information',
} as const satisfies Readonly<Record<Severity, string>>;

export type SeverityWord = (typeof severityWords)[Severity];

interface MessageFilter {
  /** Words that all have to be in the message. */
  readonly typed: string;
  /** Undefined for all. */
  readonly severity: SeverityWord | undefined;
}

export function shownMessages(
  messages: readonly Message[],
  { typed, severity }: MessageFilter,
): readonly Message[] {
  return messages
    .filter((message) => severity === undefined || severityWords[message.severity] === severity)
    .filter((message) => hasWords(wordsOf(message), typed));
}

function wordsOf(message: Message): string {
  const { severity, source, number, text, advice } = message;
  return [severityWords[severity], categoryOf(message), source, number ?? '', text, advice].join(' ');
}

/** A table with a line for each message. Times are ISO 8601, UTC; empty if they are not known. */
export function csvOfMessages(messages: readonly Message[]): string {
  return csvText(
    ['began', 'ended', 'severity', 'category', 'source', 'number', 'count', 'text', 'advice'],
    messages.map((message) => [
      isoTime(message.began),
      isoTime(message.ended),
      severityWords[message.severity],
      categoryOf(message),
      message.source,
      message.number ?? '',
      message.count,
      message.text,
      message.advice,
    ]),
  );
}

function isoTime(at: number | undefined): string {
  return at === undefined ? '' : new Date(at).toISOString();
}
