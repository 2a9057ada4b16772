/** What the system says went wrong with a file; its messages name call and path. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
