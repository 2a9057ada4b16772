import { Refusal } from '../envelope.js';
import type { Shape } from './value-type.js';

/**
 * Returns the JSON value that a person means by a text typed on a command line or in a form: `192.168.0.7`, `on`,
 * `TX_IP_DHCP`, `Gate 3`, or plain JSON. The type decides afterwards if the value is allowed.
 * @throws Refusal with status 2 if the text means nothing for the shape.
 */
export function parseInput(shape: Shape, text: string): unknown {
  const trimmed = text.trim();
  switch (shape.kind) {
    case 'boolean':
      return booleanOf(trimmed);
    case 'integer':
      return integerOf(shape.names ?? {}, trimmed);
    case 'float':
      return numberOf(trimmed);
    case 'enumeration':
      return enumerationOf(shape.values, trimmed);
    case 'levelName':
    case 'string':
      return quoted(trimmed) ?? text;
    case 'address':
      return shape.of === 'IPv4' ? addressOf(trimmed, '.', 10) : addressOf(trimmed, ':', 16);
    case 'array':
      return trimmed.startsWith('[') ? json(trimmed) : listOf(shape.of, trimmed);
    case 'struct':
      return json(trimmed);
  }
}

function booleanOf(word: string): boolean {
  const lower = word.toLowerCase();
  if (['true', 'on', 'yes', 'y', '1', 'enabled'].includes(lower)) return true;
  if (['false', 'off', 'no', 'n', '0', 'disabled'].includes(lower)) return false;
  throw new Refusal('invalidData', '', `expected on or off, got "${word}"`);
}

function numberOf(word: string): number {
  const number = numberIn(word);
  if (number === undefined) throw new Refusal('invalidData', '', `expected a number, got "${word}"`);
  return number;
}

function numberIn(word: string): number | undefined {
  const isNumber = /^(?:0x[0-9a-f]+|[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i.test(word);
  return isNumber ? Number(word) : undefined;
}

function integerOf(names: Readonly<Record<string, number>>, word: string): number {
  const number = numberIn(word) ?? valueNamed(names, word);
  if (number !== undefined) return number;
  const others = Object.keys(names)
    .map((name) => `, ${name}`)
    .join('');
  throw new Refusal('invalidData', '', `expected a number${others}, got "${word}"`);
}

function valueNamed(values: Readonly<Record<string, number>>, word: string): number | undefined {
  const [, value] = Object.entries(values).find(([name]) => name.toLowerCase() === word.toLowerCase()) ?? [];
  return value;
}

function enumerationOf(values: Readonly<Record<string, number>>, word: string): number {
  const named = valueNamed(values, word);
  if (named !== undefined) return named;
  // A value is shown as `1 TX_IP_DHCP`, so this form is accepted. A number alone may be wrong, which the type finds.
  const [number = '', name] = word.split(/\s+/);
  if (name !== undefined && values[name] === Number(number)) return Number(number);
  if (/^[+-]?\d+$/.test(word)) return Number(word);
  throw new Refusal('invalidData', '', `expected one of ${Object.keys(values).join(', ')}, got "${word}"`);
}

function addressOf(text: string, separator: string, radix: 10 | 16): unknown {
  if (text.startsWith('[')) return json(text);
  const digits = radix === 10 ? /^\d{1,3}$/ : /^[0-9a-f]{1,2}$/i;
  return text.split(separator).map((part) => {
    if (digits.test(part)) return Number.parseInt(part, radix);
    throw new Refusal('invalidData', '', `expected numbers with "${separator}" between them, got "${text}"`);
  });
}

function listOf(item: Shape, text: string): unknown[] {
  return text === '' ? [] : text.split(',').map((word) => parseInput(item, word));
}

/**
 * Returns the content of a JSON string; undefined for any other text, also for a quoted one that is not JSON
 * (`"C:\x"`).
 */
function quoted(text: string): string | undefined {
  if (!text.startsWith('"')) return undefined;
  const value = parsed(text);
  return typeof value === 'string' ? value : undefined;
}

function json(text: string): unknown {
  const value = parsed(text);
  if (value === undefined) throw new Refusal('invalidData', '', `expected JSON, got "${text}"`);
  return value;
}

/** Returns undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
