import type { Reply } from './exchange/exchange.js';

/** Characters of a reason that somebody else than a scanner states. */
const longestReason = 200;

/**
 * Why a request was refused, if the answer is a text for people, as the port of a fleet gives: its first line, of at most 200
 * characters and safe to print. undefined for any other answer, and if it states nothing.
 */
export function plainRefusal({ httpStatus, headers, text }: Reply): string | undefined {
  if (httpStatus < 400 || !/^text\/plain\b/i.test(headers.get('Content-Type') ?? '')) return undefined;
  const [line = ''] = text.trim().split(/[\r\n]/, 1);
  const characters = [...line.replaceAll(/\p{C}/gu, ' ').trim()];
  if (characters.length === 0) return undefined;
  if (characters.length <= longestReason) return characters.join('');
  return `${characters.slice(0, longestReason).join('')}…`;
}
