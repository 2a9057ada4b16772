const compression = 'permessage-deflate';

/** 8 to 15, also as a quoted text. */
const bits = '(?:(?:8|9|1[0-5])|"(?:8|9|1[0-5])")';

/** The parameters of an offer (RFC 7692, §7.1), each with the values that it may have. */
const parameters: readonly RegExp[] = [
  /^server_no_context_takeover$/i,
  /^client_no_context_takeover$/i,
  new RegExp(`^server_max_window_bits\\s*=\\s*${bits}$`, 'i'),
  new RegExp(`^client_max_window_bits(?:\\s*=\\s*${bits})?$`, 'i'),
];

/**
 * The offers of compression in a header Sec-WebSocket-Extensions that are valid. An invalid offer, or an unknown extension, is
 * declined, and the connection goes on without it (RFC 7692, §7.1); the library would refuse the whole handshake.
 * @returns the header with these offers alone; undefined if there are none
 */
export function validOffers(header: string): string | undefined {
  const valid = header
    .split(',')
    .map((offer) => offer.trim())
    .filter(isValid);
  return valid.length === 0 ? undefined : valid.join(', ');
}

function isValid(offer: string): boolean {
  const [name = '', ...given] = offer.split(';').map((part) => part.trim());
  if (name.toLowerCase() !== compression) return false;
  const kinds = given.map((parameter) => parameters.findIndex((form) => form.test(parameter)));
  // Each is known, has a value that it may have, and is there once.
  return !kinds.includes(-1) && new Set(kinds).size === kinds.length;
}
