/**
 * What is sent: its size in bytes, and a new stream of it each time, so that a transfer that the scanner turned away
 * can begin anew. A Blob is one.
 */
export interface Source {
  readonly size: number;
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Told as bytes pass: how many have so far, and how many there will be where that is known. */
export type Progress = (bytes: number, total: number | undefined) => void;

/**
 * A source as the body of a request. A Blob goes as it is: browsers send no streams over HTTP/1.1, and tell nothing of
 * their progress. Anything else is streamed.
 */
export function bodyOf(
  source: Source,
  onPiece: (bytes: number) => void,
): { readonly body: BodyInit; readonly streamed: boolean } {
  if (source instanceof Blob) return { body: source, streamed: false };
  let sent = 0;
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, controller) {
      sent += piece.byteLength;
      onPiece(sent);
      controller.enqueue(piece);
    },
  });
  return { body: source.stream().pipeThrough(counting), streamed: true };
}
