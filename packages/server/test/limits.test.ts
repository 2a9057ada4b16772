import { readFileSync } from 'node:fs';
import * as http from '@azimuth/http/limits';
import { backupRestore, firmwareUpdate, largestBody } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import * as control from '../src/control/limits.js';
import * as events from '../src/events/limits.js';
import * as files from '../src/files/limits.js';
import * as legacy from '../src/legacy/limits.js';
import * as network from '../src/network/limits.js';
import * as rest from '../src/rest/limits.js';
import * as ros2 from '../src/ros2/limits.js';
import * as streams from '../src/streams/limits.js';
import * as time from '../src/time/limits.js';

const page = readFileSync(new URL('../../../docs/limits.md', import.meta.url), 'utf8').replaceAll(
  /\s+/g,
  ' ',
);

const kibibytes = (bytes: number) => `${bytes / 1024} KiB`;
const mebibytes = (bytes: number) => `${bytes / 1024 ** 2} MiB`;
const seconds = (milliseconds: number) => `${milliseconds / 1000} s`;
const withBlanks = (number: number) => String(number).replaceAll(/\B(?=(\d{3})+$)/g, ' ');
const withCommas = (number: number) => number.toLocaleString('en');

const { defaultTimeouts } = http;
const { slowestFirmware } = files;
const mostBytesOfBackup = backupRestore.members.parameterbackup.facts.verbs.PUT?.maxBytes ?? 0;
const mostBytesOfFirmware = firmwareUpdate.members.update.facts.verbs.PUT?.maxBytes ?? 0;

describe('docs/limits.md states', () => {
  test.each([
    `more than ${http.mostHalfOpenConnections} of them are half-open`,
    `If it sends none within ${seconds(http.refusedConnectionTime)}, it is closed`,
    `more than ${http.mostRefusedConnections} such connections that wait for their status 11`,
    `more than ${mebibytes(rest.mostBodyBytesTogether)} of incomplete bodies together`,
    `a JSON body over ${kibibytes(http.mostBytesParsedAtOnce)}`,
    `No limit is above ${mebibytes(largestBody)}`,
    `request line and headers over ${kibibytes(http.mostHeaderBytes)} together`,
    `more than ${http.mostHeaderLines} headers`,
    `the headers are not complete ${seconds(defaultTimeouts.headers)} after the first byte`,
    `the body is not complete ${seconds(defaultTimeouts.request)} after the first byte`,
    `no further request ${seconds(defaultTimeouts.idle)} after a response`,
    `no byte moves in either direction for ${seconds(defaultTimeouts.silent)}`,
    `more than ${http.requestsBeforePause} waiting requests on a connection`,
    `more than ${http.mostWaitingRequests} waiting requests on a connection`,
    `The four have ${seconds(http.overfullLinger)} to read their responses`,
    `more than ${http.mostWaitingWhenMany} waiting requests on a connection, while ${http.mostWaitingTogether} wait`,
    `${http.mostUnsentResponses} responses, or ${kibibytes(http.mostUnsentBytes)} of responses`,
    `${http.mostUnsentResponsesTogether} responses or ${mebibytes(http.mostUnsentBytesTogether)} of responses are ready`,
    `a response over ${kibibytes(http.pieceBytes)}`,
    `more than ${files.mostCloudDownloads} downloads of \`/cloud.pcd\``,
    `all these versions together exceed ${mebibytes(files.mostSentFileBytes)}`,
    `a backup file of up to ${withBlanks(mostBytesOfBackup)} bytes`,
    `a multipart body with more than ${files.mostParts} parts`,
    `If it does not end within ${seconds(http.longestDrain)}, the connection is closed`,
    `a file of up to ${withBlanks(mostBytesOfFirmware)} bytes`,
    `as long as ${kibibytes(slowestFirmware.bytes)} come in every ${seconds(slowestFirmware.milliseconds)}`,
  ])('of HTTP: %s', (words) => expect(page).toContain(words));

  test.each([
    `| as a fleet | ${http.mostLocalConnections} | ${http.mostLocalConnections} |`,
    `the oldest half-open one, above ${http.mostHalfOpenConnections} of them`,
    `| ${http.mostRefusedConnections} wait up to ${seconds(http.refusedConnectionTime)} for status 11`,
    `| ${http.mostConnectionsForProbes} may ask for \`/healthz\` and \`/readyz\` within ${seconds(http.refusedConnectionTime)}`,
    `| ${kibibytes(http.mostHeaderBytes)}, ${http.mostHeaderLines} lines, ${seconds(defaultTimeouts.headers)} |`,
    `| ${seconds(defaultTimeouts.request)}; ${seconds(defaultTimeouts.idle)}; ${seconds(defaultTimeouts.silent)} |`,
    `| ${http.mostWaitingRequests}, and ${http.mostWaitingTogether} of all |`,
    `| ${http.mostUnsentResponses}, or ${kibibytes(http.mostUnsentBytes)} |`,
    `can hold, ${mebibytes(rest.mostBodyBytesTogether)} |`,
    `| ${kibibytes(control.defaultMostBytes)} and ${mebibytes(control.bodiesTogether * control.defaultMostBytes)}; what a command declares`,
  ])('of the five ports: %s', (words) => expect(page).toContain(words));

  test.each([
    `a message in at most ${events.mostFragments} WebSocket frames`,
    `${events.mostRegistrations} registrations of a connection, ${withCommas(events.mostRegistrationsTogether)} of all`,
    `${mebibytes(events.mostWaitingValues)} of waiting values for a client`,
    `${mebibytes(events.mostWaitingResponses)} of responses; ${mebibytes(events.mostWaitingTogether)} for all clients`,
    `pings of the scanner every ${seconds(events.pingInterval)}`,
  ])('of events: %s', (words) => expect(page).toContain(words));

  test.each([
    `more than ${legacy.mostSessions} sessions on both interfaces together`,
    `After ${seconds(legacy.keepAliveAfter)} the operating system checks`,
    `a request over ${kibibytes(legacy.largestRequest)}`,
    `the end of a binary telegram does not come within ${seconds(legacy.longestFrameTime)}`,
    `logged at most every ${seconds(legacy.foreignLogInterval)}`,
  ])('of the legacy interfaces: %s', (words) => expect(page).toContain(words));

  test.each([
    `more than ${streams.mostClients} TCP clients that read streams`,
    `up to ${mebibytes(streams.mostWaitingBytes)} waits for it`,
    `more than ${streams.mostUnsentDatagrams} datagrams of a stream`,
    `delays more than ${streams.mostDelayedTelegrams} telegrams of a stream`,
    `it is sent after ${seconds(streams.longestReordering)}`,
  ])('of data streams: %s', (words) => expect(page).toContain(words));

  test.each([
    `After ${ros2.mostWrong} wrong numbers, the next ones are ignored for ${seconds(ros2.deafTime)}`,
    `it is greeted again, at most every ${seconds(ros2.greetingInterval)}`,
    `at most ${ros2.unprovenFactor} times the bytes that came from it`,
    `more than ${ros2.mostReadersOfPeer} readers of one participant, or ${ros2.mostReaders} of all`,
    `or ${mebibytes(ros2.repairedTogether)} for all together`,
    `more than ${ros2.mostUnsent} datagrams to one participant`,
    `more than ${network.responsesPerAddress} new participants a second from one address, or ${network.responsesTogether} from`,
    `more than ${ros2.mostPeers} participants at a time`,
    `${seconds(ros2.shortestLease)} at least and ${seconds(ros2.longestLease)} at most`,
    `of a reader has more than ${kibibytes(ros2.mostAnnouncementBytes)}`,
    `more than ${ros2.controlMessagesPerPeer} control messages a second`,
    `of more than ${mebibytes(ros2.repairedBytes)} a second`,
    `by its count | it is ignored for ${seconds(ros2.repeatedTime)}`,
    `more than ${ros2.mostQueued} large messages wait`,
    `older than ${seconds(ros2.repairTime)}, or not among the last ${ros2.scanHistory} of a topic, or not in the last ${mebibytes(ros2.mostHistoryBytes)}`,
    `more than ${ros2.mostSubmessages} submessages`,
  ])('of native ROS 2: %s', (words) => expect(page).toContain(words));

  test.each([
    `more than ${network.responsesPerAddress} requests a second from one address, or ${network.responsesTogether} from all together`,
    `more than ${network.responsesPerAddress} questions a second from one address, or ${network.responsesTogether} from all`,
    `more than ${withBlanks(http.mostRatedClients)} clients`,
  ])('of rates: %s', (words) => expect(page).toContain(words));

  test.each([
    `more than ${time.messagesPerSender} messages a second from one address, or ${time.messagesTogether} from all`,
    `tried again every ${seconds(time.reopenPtpAfter)}`,
  ])('of the PTP ports: %s', (words) => expect(page).toContain(words));
});
