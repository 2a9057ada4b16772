// The limits of the requests to a time server, and of PTP messages. Those of a PTP slave itself are in
// `packages/device/src/date-and-system-time/ptp/limits.ts`.

/** Time limit for an answer (ms). */
export const responseTimeout = 2000;

/** PTP messages a second that are looked at: from one address, and from all together. */
export const messagesPerSender = 500;
export const messagesTogether = 2000;

/** PTP ports that cannot be opened are tried again after this time (ms). */
export const reopenPtpAfter = 5000;
