import { createReadStream } from 'node:fs';
import { type Container, DamagedContainer, readContainer } from '@azimuth/device/firmware';
import { CommandFailure } from '../command-failure.js';
import { reasonOf } from './reason.js';

/**
 * Reads a firmware file from end to end.
 * @throws CommandFailure where it cannot be read, is none, or is not whole
 */
export async function readFirmware(file: string): Promise<Container> {
  try {
    return await readContainer(createReadStream(file));
  } catch (error) {
    if (error instanceof DamagedContainer) throw new CommandFailure(`${file}: ${error.message}`);
    if (error instanceof Error && 'syscall' in error) throw new CommandFailure(reasonOf(error));
    throw error;
  }
}
