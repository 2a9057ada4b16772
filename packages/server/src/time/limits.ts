// The limits of the requests to a time server.

/** Time limit for an answer (ms). */
export const answerTimeout = 2000;
