/** Why a telegram does not get through: in a word for metrics, and in words for the log. */
const losses = {
  refused: 'nobody listens at that port',
  unreachable: 'no way leads there',
  too_large: 'it is larger than a datagram may be',
  not_permitted: 'the system does not permit it',
  congested: 'too many wait for the network already',
  slow: 'it does not read as fast as it is sent to',
  no_port: 'port 0 is none',
  inner: 'it could not be made',
  other: 'the network fails',
} as const;

export type Loss = keyof typeof losses;

const byCode: Readonly<Record<string, Loss>> = {
  ECONNREFUSED: 'refused',
  ENETUNREACH: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  // Linux, for a destination that the address of the sender cannot reach.
  EINVAL: 'unreachable',
  EMSGSIZE: 'too_large',
  EACCES: 'not_permitted',
  EPERM: 'not_permitted',
  ENOBUFS: 'congested',
  EAGAIN: 'congested',
};

/** Which loss an error of a socket stands for. */
export function lossOf(error: Error): Loss {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return byCode[code] ?? 'other';
}

export function inWords(loss: Loss): string {
  return losses[loss];
}
