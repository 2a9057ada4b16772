const pieceBytes = 64 * 1024;

/** Cuts the content of a document into pieces of 64 KiB, as files are read. */
export async function* inPieces(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += pieceBytes) yield content.subarray(at, at + pieceBytes);
}
