// Limits of native ROS 2 output. Sizes are in bytes and times in ms.

/** Number of participants of other programs that are known at the same time. Further ones are ignored. */
export const mostPeers = 64;

/** Number of readers of other programs that are served at the same time. Further ones are ignored. */
export const mostReaders = 512;

/** Number of stored readers of one peer: a recorder reads all topics, which are up to 61. */
export const mostReadersOfPeer = 128;

/** Number of participants of one machine and domain: this many ports are tried. */
export const mostParticipantIndex = 60;

/** Number of participants at whose ports unicast peers are addressed. */
export const peerPorts = 10;

/** Bytes of the announcement of a reader. Larger ones are ignored. */
export const mostAnnouncementBytes = 4096;

/** Number of network interfaces that are used if the scanner listens at all addresses. */
export const mostInterfaces = 8;

/** Times of the first announcements. Then one is sent in each interval. */
export const firstAnnouncements: readonly number[] = [0, 100, 500];
export const announcementInterval = 3000;

/** Time without an announcement after which others forget the scanner. */
export const ownLease = 10_000;

/** Least and greatest lease of another participant. */
export const shortestLease = 1000;
export const longestLease = 300_000;

/**
 * Factor of the bytes from a peer that may be sent to it before it has shown that it gets messages: its address may be
 * forged.
 */
export const unprovenFactor = 3;
/**
 * Number of acknowledgements of numbers that were not sent to a peer, after which the next ones are ignored, and the
 * time for that.
 */
export const mostWrong = 2;
export const deafTime = 10_000;
/** Times of the first greeting, and of the next ones if there is no response. */
export const provingIntervals: readonly number[] = [0, 100, 400];
/**
 * Least interval of later greetings. A peer is greeted when it announces itself, and its announcement may be the response
 * to a greeting.
 */
export const greetingInterval = 1000;

/** Control messages a second to one peer: acknowledgements, requested heartbeats, gaps. */
export const controlMessagesPerPeer = 200;

/** Number of processed submessages of a datagram. */
export const mostSubmessages = 64;

/** Time for which samples of a topic of scans are stored for repairs: a busy computer may request one late. */
export const repairTime = 5000;
/** Number of samples that are stored at most: as many as come in this time at the highest rate. */
export const scanHistory = 250;
/** Interval of the odometry of a vehicle, and number of its samples that are stored at most. */
export const odometryInterval = 20;
export const odometryHistory = 50;

/** Memory of the stored samples of a topic. If they need more, fewer are stored. */
export const mostHistoryBytes = 16 * 1024 * 1024;

/**
 * Number of announcements of removed endpoints that are stored for repairs: those of all segments and echoes at once.
 */
export const mostDisposals = 64;

/** Bytes of a datagram on loopback, and on other networks, where larger ones would be split again. */
export const loopbackDatagram = 14_720;
export const networkDatagram = 1400;
/** Bytes of a datagram beside the content. */
export const datagramOverhead = 120;

/** Bytes a millisecond to one peer of samples that need several datagrams. More would overrun its socket. */
export const pacedBytes = 60_000;

/** Number of samples of several datagrams that wait for one peer. Further ones are dropped for it. */
export const mostQueued = 16;

/** Bytes a second that are sent again, to one peer and to all together. The same amount can be sent at once. */
export const repairedBytes = 8 * 1024 * 1024;
export const repairedTogether = 32 * 1024 * 1024;

/**
 * Number of datagrams to one peer that the system has not accepted yet. While there are more, fragments wait and
 * samples are lost.
 */
export const mostUnsent = 128;

/**
 * Time for which a request with the count of an earlier one is ignored. Later, a reader has begun to count anew: it had
 * lost the scanner.
 */
export const repeatedTime = 500;

/** Interval in which the writer repeats its request to a reliable reader that lacks samples. */
export const heartbeatInterval = 500;

/** Number of reports of readers that request an unsupported quality of service, for each domain that is joined. */
export const mostReports = 16;
