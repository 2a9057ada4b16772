/** Bodies that answer POSTs which went well, byte by byte. */
export const replies = {
  written: '{"header":{"status":0,"message":"Ok"}}',
  saved: '{"header":{"status":0,"message":"Ok"},"data":{"Success":true}}',
} as const;
