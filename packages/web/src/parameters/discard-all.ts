import { allParameters } from '@azimuth/model';
import { attempt, mayNow } from '../connection/attempt.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { changesTo } from '../forms/changes-to.js';
import { confirmed, tellFailure } from '../parts/dialogs.js';
import { unknownWords } from './saved-words.js';

export type Busy = Parameters<typeof attempt>[0];

/** Writes the stored values again. */
export async function discardAll(link: ScannerLink, busy: Busy): Promise<void> {
  if (!(await mayNow('AuthorizedClient'))) return;
  const unsaved = link.stored.unsaved.peek();
  if (unsaved === undefined) {
    tellFailure(`Unsaved changes cannot be discarded now. ${unknownWords(link.stored)}`);
    return;
  }
  const stored = ({ name }: { readonly name: string }) => link.stored.valueOf(name);
  const lines = changesTo(
    allParameters.filter(({ name }) => unsaved.includes(name)),
    ({ name }) => link.value(name),
    stored,
  );
  if (!(await confirmed({ title: 'Discard all unsaved changes?', lines, act: 'Discard all' }))) return;
  await attempt(busy, 'AuthorizedClient', async () => {
    for (const name of unsaved) await link.write(name, link.stored.valueOf(name));
  });
}
