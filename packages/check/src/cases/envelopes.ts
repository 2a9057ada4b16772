import type { Matcher } from '../match/matcher.js';
import type { AnswerExpectation } from '../steps/index.js';

/** Statuses with their messages, as the specification has them (Errors). */
const messages = [
  'Ok',
  'Parsing Failed',
  'Invalid Data',
  'Internal Server Error',
  'Access Denied',
  'Not Found',
  'Out Of Range',
  'Out Of Bounds',
  'Read Only',
  'Illegal Value',
  'Invalid Challenge',
  'Out Of Connections',
] as const;

/** Returns the header of an envelope: a status with its message, and nothing else. */
export function headerOf(status: number): Matcher {
  return { exactly: { status: { is: status }, message: { is: messages[status] ?? '' } } };
}

/** An answer with this status and its message. */
export function withMessage(status: number): AnswerExpectation {
  return { status, body: { has: { header: headerOf(status) } } };
}

/** An answer that is this status and nothing else: no data, no challenge. */
export function nothingBut(status: number): AnswerExpectation {
  return { status, body: { exactly: { header: { present: true } } } };
}
