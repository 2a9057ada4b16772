import { isDeeper } from '@azimuth/http';
import { deepestJson } from './limits.js';

/**
 * Returns the JSON that a program, a scanner or a file has sent; undefined for what is none. What is nested too deeply is none,
 * either: whatever writes it again would have no stack left.
 */
export function jsonIn(sent: string | Uint8Array): unknown {
  const bytes = Buffer.from(sent);
  if (isDeeper(bytes, deepestJson)) return undefined;
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
