// Module of @noble/hashes that is served beside this page.
declare module '*/hashes/sha2.js' {
  export { sha256 } from '@noble/hashes/sha2.js';
}
