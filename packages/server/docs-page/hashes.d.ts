// Served beside this page out of @noble/hashes.
declare module '*/hashes/sha2.js' {
  export { sha256 } from '@noble/hashes/sha2.js';
}
