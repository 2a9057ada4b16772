import { getSystemErrorMap } from 'node:util';

/** What the system says about an error, without paths: `permission denied (EACCES)`; else its message. */
export function systemWordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = 'errno' in error && typeof error.errno === 'number' ? error.errno : 0;
  const [code, text] = getSystemErrorMap().get(known) ?? [];
  return code === undefined ? error.message : `${text} (${code})`;
}
