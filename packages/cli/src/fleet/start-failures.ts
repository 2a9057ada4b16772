import { FolderInUse } from '@azimuth/device';
import { ForeignJournal } from '@azimuth/fleet';
import { PortTaken } from '@azimuth/http';
import { CommandFailure, systemWordsOf } from '../command-failure.js';

/**
 * A step of the start of a process of a fleet. If the system or a folder does not allow it, the command says why.
 * @throws CommandFailure, and what is a mistake of ours as it is
 */
export async function started<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof PortTaken || error instanceof FolderInUse || error instanceof ForeignJournal)
      throw new CommandFailure(error.message);
    if (error instanceof Error && 'syscall' in error) throw new CommandFailure(systemWordsOf(error));
    throw error;
  }
}
