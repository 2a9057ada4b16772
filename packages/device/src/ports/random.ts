/** Where the scanner takes unpredictable bytes from: nonces, salts, keys. */
export interface Random {
  bytes(count: number): Uint8Array;
}
