import { setFlagsFromString } from 'node:v8';

/** How much garbage may come to what is in use before V8 collects it, in percent. By default, V8 lets it double and more. */
const mostGarbage = 40;

/**
 * Keeps the memory of a gateway small. What it has in use at 1000 connections is 20 to 50 MB, but what requests leave behind made
 * the process grow to 530 MB, above the 512 MiB of the manifest for Kubernetes; with this it stays below 300 MB. Unlike a limit of
 * the heap, it ends no gateway of a very large fleet.
 */
export function collectGarbageEarly(): void {
  setFlagsFromString(`--heap-growing-percent=${mostGarbage}`);
}
