/** The telegrams of one stream, each made of one reading. */
export interface Telegrams<Reading> {
  /** Takes over what parameters say of their content. Answers why there are none, in words, where there are none. */
  configure(): string | undefined;
  /** Is fulfilled when `watch` can begin at once; undefined where it can already. */
  readonly preparing?: Promise<unknown> | undefined;
  /** Looks at the scanner from now on: `due` gets every reading. Returns how to stop it. */
  watch(due: (reading: Reading) => void): () => void;
  /** Bytes that are enough for its telegram. */
  mostBytes(reading: Reading): number;
  /** Writes its telegram, the `sequence`th of the stream, into a room of so many bytes. Returns what it has written. */
  encode(reading: Reading, sequence: number, room: Uint8Array): Uint8Array;
}
