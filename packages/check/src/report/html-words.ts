import type { Verdict } from '../run/case-result.js';
import type { CheckReport } from '../run/check-report.js';
import { markupText } from './markup-text.js';
import { verdictWords } from './verdicts.js';

/** Returns the id of an element of the page: that of a case of a scanner, which is counted from 0. */
export function htmlAnchor(scanner: number, id: string): string {
  return markupText(`${scanner}-${id.replaceAll(/[^\w.-]/g, '-')}`);
}

/** Returns the heading of a scanner, as it came: its name and serial number, or its URL. */
export function htmlTitle({ scanner: { name, serialNumber, url } }: CheckReport): string {
  return [name, serialNumber].filter((part) => part !== '').join(' ') || url;
}

/** Returns the word for a verdict in running text. */
export function htmlVerdict(verdict: Verdict): string {
  return verdictWords[verdict].toLowerCase();
}
