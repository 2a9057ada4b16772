import type { DeviceOptions } from '../options.js';
import { standardOutput } from './whole-file.js';

/** Tells machines what was written; people see the file. Standard output belongs to the file where it goes there. */
export function tellWritten(file: string, bytes: number, { json }: DeviceOptions): void {
  if (json === true && file !== standardOutput) process.stdout.write(`${JSON.stringify({ file, bytes })}\n`);
}
