const remedies: Readonly<Record<string, string>> = {
  ENOSPC: 'make room there, then try again',
  EDQUOT: 'make room there, then try again',
  EFBIG: 'make room there, then try again',
  EACCES: 'give the scanner the right to write to its folder, then try again',
  EPERM: 'give the scanner the right to write to its folder, then try again',
  EROFS: 'give the scanner the right to write to its folder, then try again',
  ENOENT: 'the folder of the scanner is gone: put it back, then try again',
};

/** What the system is short of for a moment; it says nothing about a document. */
const passing = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'];

/** What went wrong, in full: for the log. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The cause and a remedy, without paths: clients must not see those of this machine. */
export function remedyOf(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) return 'the log of the scanner says why';
  // Messages of the system read `CODE: text, call 'path'`.
  const [text = code] = reasonOf(error).split(',', 1);
  return `${text}; ${remedies[code] ?? 'the log of the scanner says more'}`;
}

/** Will it pass by itself, whatever becomes of the document? */
export function isPassing(error: unknown): boolean {
  return passing.includes(codeOf(error) ?? '');
}

/** A symbolic link stands where a document itself is expected. What lies behind it may be anybody's: it is not read. */
export class LinkInPlace extends Error {
  override readonly name = 'LinkInPlace';

  constructor(document: string) {
    super(`${document} is a symbolic link, and links in the folder of a scanner are not followed`);
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
