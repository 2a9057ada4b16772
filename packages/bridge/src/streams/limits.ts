// Limits of the streams of a relay. Sizes are in bytes and times in ms.

/** Bytes that may wait for one client. Further telegrams are lost for this client. */
export const mostWaitingBytes = 1024 * 1024;

/** Memory that a waiting telegram uses in addition to its bytes. */
export const telegramOverhead = 200;

/** Time after which a client that accepts nothing, while telegrams wait for it, is closed. */
export const stallTimeout = 30_000;

/** A client that vanished is noticed even if no telegrams come: the system asks after 30 s of silence. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelay: 30_000 } as const;

/** Clients of one listener. */
export const mostClients = 16;

/** Datagrams to one destination that the system has not accepted yet. */
export const mostUnsentDatagrams = 64;

/** Pause before a socket that has failed is opened again. */
export const reopenAfter = 1000;

/** Bytes of telegrams that wait to be looked at after they were sent. Further ones are not looked at, and counted. */
export const mostUnseenBytes = 16 * 1024 * 1024;

/** Size of the system's buffer for received datagrams while this program is busy: half a second of the finest profile. */
export const socketBuffer = 4 * 1024 * 1024;

/** Time for a connection to a scanner. */
export const connectTimeout = 10_000;

/** Bytes of a message of a client of a WebSocket. It is read and dropped; a longer one ends the connection. */
export const mostClientMessage = 4096;

/** Bytes that wait for a client of a WebSocket, from which on its pings get no pong. */
export const mostPongsWaiting = 4096;
