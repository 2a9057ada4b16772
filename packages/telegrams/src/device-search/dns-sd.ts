/** The DNS-SD name of web servers (RFC 6763): a scanner is announced under it, and clients ask for it. */
export const httpService = '_http._tcp.local';

/** The UDP port of multicast DNS (RFC 6762). */
export const multicastDnsPort = 5353;
