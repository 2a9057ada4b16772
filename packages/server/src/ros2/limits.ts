// The limits of native ROS 2 output. Sizes are in bytes and times in ms.

/** Participants of other programs that are known at the same time. Further ones are ignored. */
export const mostPeers = 64;

/** Readers of other programs that are served at the same time. Further ones are ignored. */
export const mostReaders = 512;

/** Readers of one peer that are kept: a recorder reads all topics, which are up to 61. */
export const mostReadersOfPeer = 128;

/** Participants of one machine and domain: so many ports are tried. */
export const mostParticipantIndex = 60;

/** Unicast peers are addressed at the ports of so many participants. */
export const peerPorts = 10;

/** Bytes of the announcement of a reader. Larger ones are ignored. */
export const mostAnnouncementBytes = 4096;

/** Network interfaces that are used if the scanner listens at all addresses. */
export const mostInterfaces = 8;

/** When the first announcements are sent, then one in each interval. */
export const firstAnnouncements: readonly number[] = [0, 100, 500];
export const announcementInterval = 3000;

/** Others forget the scanner after this time without an announcement. */
export const ownLease = 10_000;

/** A lease of another participant is taken for at least, and at most, this time. */
export const shortestLease = 1000;
export const longestLease = 300_000;

/**
 * A peer that has not shown yet that it gets messages is sent at most so many times the bytes that came from it: its address
 * may be forged.
 */
export const unprovenFactor = 3;
/** After so many acknowledgements of numbers that were not sent to it, the next ones are ignored for this time. */
export const mostWrong = 2;
export const deafTime = 10_000;
/** When it is greeted for the first time, and again if it does not answer. */
export const provingIntervals: readonly number[] = [0, 100, 400];
/** Later it is greeted when it announces itself, but not more often than this: its announcement may answer a greeting. */
export const greetingInterval = 1000;

/** Control messages a second to one peer: acknowledgements, heartbeats that were asked for, gaps. */
export const answersPerPeer = 200;

/** Submessages of a datagram that are acted on. */
export const mostSubmessages = 64;

/** For this time, samples of a topic of scans are kept for repairs: a busy computer may ask late for one. */
export const repairTime = 5000;
/** So many of them at most: what comes in this time at the highest rate. */
export const scanHistory = 250;
/** Memory of the samples that are kept of a topic. If they need more, fewer are kept. */
export const mostHistoryBytes = 16 * 1024 * 1024;

/** Announcements of removed endpoints that are kept for repairs: those of all segments and echoes at once. */
export const mostDisposals = 64;

/** Bytes of a datagram on loopback, and on other networks, where larger ones would be split again. */
export const loopbackDatagram = 14_720;
export const networkDatagram = 1400;
/** Bytes of a datagram beside the content. */
export const datagramOverhead = 120;

/** Bytes a millisecond to one peer of samples that need several datagrams: more than that overruns its socket. */
export const pacedBytes = 60_000;

/** Samples of several datagrams that wait for one peer. Further ones are dropped for it. */
export const mostQueued = 16;

/** Bytes a second that are sent again, to one peer and to all together. The same amount can be sent at once. */
export const repairedBytes = 8 * 1024 * 1024;
export const repairedTogether = 32 * 1024 * 1024;

/** Datagrams to one peer that the system has not taken yet. While there are more, fragments wait and samples are lost. */
export const mostUnsent = 128;

/**
 * A request with the count of an earlier one is ignored for this time after it. Later, a reader has begun to count anew: it
 * had lost sight of the scanner.
 */
export const repeatedTime = 500;

/** While a reliable reader lacks samples, the writer asks it again after this time. */
export const heartbeatInterval = 500;

/** Reports of readers that ask for a quality of service that is not offered, for each domain that is joined. */
export const mostReports = 16;
