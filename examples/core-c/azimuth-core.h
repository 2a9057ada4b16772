/*
 * azimuth-core.h: a measuring core for Azimuth in C99, in one file. The protocol is in docs/core-socket.md.
 *
 * In one source file, before the #include:
 *
 *   #define AZC_IMPLEMENTATION
 *   #include "azimuth-core.h"
 *
 * It needs the sockets and clocks of POSIX, and nothing else. It never blocks longer than you say, allocates nothing,
 * starts no thread, and connects again by itself. Use one azc_core in one thread.
 *
 *   static azc_core core;
 *   azc_open(&core, "/run/scanner/core.sock", "my core 1.0", 0);
 *   for (;;) {
 *     const azc_order *order = azc_current(&core);
 *     if (order == NULL) {
 *       azc_wait(&core, azc_now() + 100000000);
 *       continue;
 *     }
 *     ... measure beams, then azc_segment(&core, scan, time, first, count, distance, rssi, flags)
 *   }
 *
 * Licence: MIT.
 */
#ifndef AZIMUTH_CORE_H
#define AZIMUTH_CORE_H

#if !defined(_POSIX_C_SOURCE) && !defined(_GNU_SOURCE) && !defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#endif

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the protocol. */
#define AZC_VERSION 1

/* Maximum number of beams of a segment. Define it before the #include to change it. */
#ifndef AZC_MOST_BEAMS
#define AZC_MOST_BEAMS 4096
#endif

/* Places for echoes of each beam: the nearest echo first, no gap between two, and 0 where there is no echo. */
#define AZC_ECHOES 3

/* What the core can do. */
#define AZC_CAN_MOTION 1u  /* it calls azc_motion at least every second */
#define AZC_CAN_STARTED 2u /* it calls azc_started for each order, when the motor is at speed */

/* Flags of an echo. */
#define AZC_REFLECTOR 1
#define AZC_BLOOMING 2

/* What the scanner wants to have measured. Times are in ns of azc_now(). */
typedef struct {
  uint32_t number;
  double frequency;          /* revolutions per second in Hz */
  double first_angle;        /* of beam 0, in degrees, counter-clockwise, 0 straight ahead */
  double step;               /* degrees from one beam to the next */
  uint32_t beams;            /* of a scan */
  uint32_t beams_per_segment; /* best size of a segment; the last one may have fewer */
  int sensitivity;           /* 0 robust, 1 standard, 2 sensitive */
  int long_range;            /* 1: distances up to 131070 mm, otherwise 65535 mm */
  int64_t origin_time;       /* when the last known revolution began; may be negative */
  uint32_t origin_number;    /* its number */
} azc_order;

typedef struct {
  const char *address;
  const char *name;
  uint32_t capabilities;
  int socket;
  int state;
  int has_order;
  int has_pong;
  int64_t next_attempt;
  uint32_t broken_scan;
  int is_broken;
  azc_order order;
  unsigned char pong[24];
  size_t in_bytes;
  size_t out_sent;
  size_t out_bytes;
  unsigned char in[1024];
  unsigned char out[32 + 21 * AZC_MOST_BEAMS];
  char problem[512];
} azc_core;

/*
 * Prepares a core. It connects in azc_wait.
 * address: path of a UNIX socket, HOST:PORT, or [IPv6]:PORT. HOST is an IPv4 address, localhost or nothing.
 * name: of this program, at most 64 bytes, for the log of the scanner. Both strings are kept, not copied.
 */
void azc_open(azc_core *core, const char *address, const char *name, uint32_t capabilities);
void azc_close(azc_core *core);

/* Now in ns: CLOCK_MONOTONIC. */
int64_t azc_now(void);

/*
 * Exchanges messages with the scanner until this time, and connects if there is no connection. It returns early if there
 * is another order, or none any more. Wait with it, and with nothing else, so that the scanner knows your clock.
 */
void azc_wait(azc_core *core, int64_t until);

/* The order in force; NULL: measure nothing. It stays valid until the next azc_wait. */
const azc_order *azc_current(const azc_core *core);

/*
 * Sends the beams first to first + count - 1 of a scan, in this order, without gaps.
 * scan: rises by one with every revolution, also with those that were not measured
 * time: when the first beam of this segment was measured
 * distance (mm), rssi and flags: AZC_ECHOES * count places each; flags may be NULL
 * Returns 1. If the scanner does not read fast enough, or there is no order, it returns 0: this scan is lost.
 */
int azc_segment(azc_core *core, uint32_t scan, int64_t time, uint32_t first, uint32_t count, const float *distance,
                const uint16_t *rssi, const uint8_t *flags);

/* The motor is at speed, the first scan follows. Only with AZC_CAN_STARTED. */
int azc_started(azc_core *core);

/* How the scanner moves: m/s^2 with gravity, rad/s, and a unit quaternion w, x, y, z. Only with AZC_CAN_MOTION. */
int azc_motion(azc_core *core, const float acceleration[3], const float angular_velocity[3],
               const float orientation[4]);

/* A line for the log of the scanner. With is_error 1, DeviceStatus is 7 until the next call with 0. */
int azc_status(azc_core *core, int is_error, const char *text);

/* 1 while the scanner and this core are connected. */
int azc_is_connected(const azc_core *core);

/* Why there is no connection, or "". */
const char *azc_problem(const azc_core *core);

#ifdef __cplusplus
}
#endif
#endif

#ifdef AZC_IMPLEMENTATION
#undef AZC_IMPLEMENTATION

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#ifdef MSG_NOSIGNAL
#define AZC_SEND_FLAGS MSG_NOSIGNAL
#else
#define AZC_SEND_FLAGS 0
#endif

#define AZC_MAGIC 0x4f435a41u
#define AZC_RETRY 200000000 /* ns between two attempts to connect */

/* AZC_LOST: it can only be read, because the scanner may have said why. */
enum { AZC_OFF, AZC_CONNECTING, AZC_LOST, AZC_GREETING, AZC_CONNECTED };
enum { AZC_FROM_HELLO = 1, AZC_FROM_ORDER, AZC_FROM_STOP, AZC_FROM_PING, AZC_FROM_REFUSAL };
enum { AZC_HELLO = 129, AZC_STARTED, AZC_SEGMENT, AZC_MOTION, AZC_STATUS, AZC_PONG };

/* Numbers in little-endian bytes, on any machine. */
static void azc_put16(unsigned char *at, uint16_t value) {
  at[0] = (unsigned char)value;
  at[1] = (unsigned char)(value >> 8);
}
static void azc_put32(unsigned char *at, uint32_t value) {
  azc_put16(at, (uint16_t)value);
  azc_put16(at + 2, (uint16_t)(value >> 16));
}
static void azc_put64(unsigned char *at, uint64_t value) {
  azc_put32(at, (uint32_t)value);
  azc_put32(at + 4, (uint32_t)(value >> 32));
}
static void azc_put_float(unsigned char *at, float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  azc_put32(at, bits);
}
static uint16_t azc_get16(const unsigned char *at) { return (uint16_t)(at[0] | at[1] << 8); }
static uint32_t azc_get32(const unsigned char *at) {
  return (uint32_t)azc_get16(at) | (uint32_t)azc_get16(at + 2) << 16;
}
static uint64_t azc_get64(const unsigned char *at) {
  return (uint64_t)azc_get32(at) | (uint64_t)azc_get32(at + 4) << 32;
}
static double azc_get_double(const unsigned char *at) {
  uint64_t bits = azc_get64(at);
  double value;
  memcpy(&value, &bits, 8);
  return value;
}

static void azc_header(unsigned char *at, size_t bytes, int type) {
  azc_put32(at, (uint32_t)bytes);
  azc_put16(at + 4, (uint16_t)type);
  azc_put16(at + 6, 0);
}

int64_t azc_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void azc_open(azc_core *core, const char *address, const char *name, uint32_t capabilities) {
  memset(core, 0, sizeof *core);
  core->address = address;
  core->name = name;
  core->capabilities = capabilities;
  core->socket = -1;
}

static void azc_disconnect(azc_core *core, const char *problem) {
  if (core->socket >= 0) close(core->socket);
  core->socket = -1;
  core->state = AZC_OFF;
  core->has_order = 0;
  core->has_pong = 0;
  core->in_bytes = core->out_sent = core->out_bytes = 0;
  core->is_broken = 0;
  core->next_attempt = azc_now() + AZC_RETRY;
  if (problem != NULL && problem != core->problem) snprintf(core->problem, sizeof core->problem, "%s", problem);
}

void azc_close(azc_core *core) { azc_disconnect(core, ""); }

int azc_is_connected(const azc_core *core) { return core->state == AZC_CONNECTED; }

const char *azc_problem(const azc_core *core) { return core->problem; }

const azc_order *azc_current(const azc_core *core) { return core->has_order ? &core->order : NULL; }

/* Sends what waits. Returns 1 if nothing waits any more. */
static int azc_flush(azc_core *core) {
  while (core->out_sent < core->out_bytes) {
    ssize_t sent =
        send(core->socket, core->out + core->out_sent, core->out_bytes - core->out_sent, AZC_SEND_FLAGS);
    if (sent > 0) {
      core->out_sent += (size_t)sent;
    } else if (sent < 0 && errno == EINTR) {
      continue;
    } else {
      if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK) {
        core->state = AZC_LOST;
        core->out_sent = core->out_bytes = 0;
      }
      return 0;
    }
  }
  core->out_sent = core->out_bytes = 0;
  if (core->has_pong) {
    core->has_pong = 0;
    memcpy(core->out, core->pong, sizeof core->pong);
    core->out_bytes = sizeof core->pong;
    return azc_flush(core);
  }
  return 1;
}

/* Begins a message. Returns 0 if an earlier one still waits. */
static int azc_begin(azc_core *core, int type, size_t bytes) {
  if (core->state < AZC_GREETING || bytes > sizeof core->out || !azc_flush(core)) return 0;
  azc_header(core->out, bytes, type);
  core->out_bytes = bytes;
  return 1;
}

static size_t azc_text(const char *text, size_t most) {
  size_t bytes = strlen(text);
  return bytes < most ? bytes : most;
}

static void azc_greet(azc_core *core) {
  size_t name = azc_text(core->name, 64);
  core->state = AZC_GREETING;
  if (!azc_begin(core, AZC_HELLO, 20 + name)) return;
  azc_put32(core->out + 8, AZC_MAGIC);
  azc_put16(core->out + 12, AZC_VERSION);
  azc_put16(core->out + 14, 0);
  azc_put32(core->out + 16, core->capabilities);
  memcpy(core->out + 20, core->name, name);
  azc_flush(core);
}

/* Reads the address. Returns the size of `to`, or 0 for an address that is none. */
static socklen_t azc_resolve(const char *address, struct sockaddr_storage *to) {
  char host[64];
  const char *colon = strrchr(address, ':');
  memset(to, 0, sizeof *to);
  if (colon == NULL || strchr(address, '/') != NULL) {
    struct sockaddr_un *un = (struct sockaddr_un *)to;
    if (strlen(address) >= sizeof un->sun_path) return 0;
    un->sun_family = AF_UNIX;
    strcpy(un->sun_path, address);
    return sizeof *un;
  }
  {
    size_t length = (size_t)(colon - address);
    struct sockaddr_in *in4 = (struct sockaddr_in *)to;
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)to;
    uint16_t port = htons((uint16_t)strtoul(colon + 1, NULL, 10));
    if (length >= sizeof host) return 0;
    memcpy(host, address, length);
    host[length] = 0;
    if (length > 1 && host[0] == '[' && host[length - 1] == ']') {
      host[length - 1] = 0;
      in6->sin6_family = AF_INET6;
      in6->sin6_port = port;
      return inet_pton(AF_INET6, host + 1, &in6->sin6_addr) == 1 ? sizeof *in6 : 0;
    }
    in4->sin_family = AF_INET;
    in4->sin_port = port;
    if (length == 0 || strcmp(host, "localhost") == 0) strcpy(host, "127.0.0.1");
    return inet_pton(AF_INET, host, &in4->sin_addr) == 1 ? sizeof *in4 : 0;
  }
}

static void azc_connect(azc_core *core) {
  struct sockaddr_storage to;
  socklen_t bytes = azc_resolve(core->address, &to);
  int on = 1;
  if (bytes == 0) {
    azc_disconnect(core, "the address is neither a path nor HOST:PORT");
    return;
  }
  core->socket = socket(to.ss_family, SOCK_STREAM, 0);
  if (core->socket < 0 || core->socket >= FD_SETSIZE) {
    azc_disconnect(core, "no socket is free");
    return;
  }
  fcntl(core->socket, F_SETFL, fcntl(core->socket, F_GETFL) | O_NONBLOCK);
  fcntl(core->socket, F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
  setsockopt(core->socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  if (to.ss_family != AF_UNIX) setsockopt(core->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(core->socket, (struct sockaddr *)&to, bytes) == 0) azc_greet(core);
  else if (errno == EINPROGRESS) core->state = AZC_CONNECTING;
  else azc_disconnect(core, strerror(errno));
}

static void azc_connected(azc_core *core) {
  int error = 0;
  socklen_t bytes = sizeof error;
  getsockopt(core->socket, SOL_SOCKET, SO_ERROR, &error, &bytes);
  if (error != 0) azc_disconnect(core, strerror(error));
  else azc_greet(core);
}

static void azc_take_order(azc_core *core, const unsigned char *in) {
  azc_order *order = &core->order;
  order->number = azc_get32(in + 8);
  order->sensitivity = in[12];
  order->long_range = in[13];
  order->beams = azc_get32(in + 16);
  order->beams_per_segment = azc_get32(in + 20);
  order->frequency = azc_get_double(in + 24);
  order->first_angle = azc_get_double(in + 32);
  order->step = azc_get_double(in + 40);
  order->origin_time = (int64_t)azc_get64(in + 48);
  order->origin_number = azc_get32(in + 56);
  core->has_order = 1;
  core->is_broken = 0;
}

static void azc_take_ping(azc_core *core, const unsigned char *in) {
  azc_header(core->pong, sizeof core->pong, AZC_PONG);
  memcpy(core->pong + 8, in + 8, 8);
  azc_put64(core->pong + 16, (uint64_t)azc_now());
  core->has_pong = 1;
  azc_flush(core);
}

/* Handles one message. Returns 0 if the connection is closed now. */
static int azc_take(azc_core *core, const unsigned char *in, size_t bytes) {
  char text[sizeof core->problem];
  switch (azc_get16(in + 4)) {
    case AZC_FROM_HELLO:
      if (bytes < 20 || azc_get32(in + 8) != AZC_MAGIC) break;
      if (azc_get16(in + 12) != AZC_VERSION) {
        snprintf(text, sizeof text, "the scanner speaks version %u of the protocol, and this core version %d",
                 (unsigned)azc_get16(in + 12), AZC_VERSION);
        azc_disconnect(core, text);
        return 0;
      }
      core->state = AZC_CONNECTED;
      core->problem[0] = 0;
      return 1;
    case AZC_FROM_ORDER:
      if (bytes != 64) break;
      azc_take_order(core, in);
      return 1;
    case AZC_FROM_STOP:
      if (bytes != 12) break;
      if (azc_get32(in + 8) == core->order.number) core->has_order = 0;
      return 1;
    case AZC_FROM_PING:
      if (bytes != 16) break;
      azc_take_ping(core, in);
      return core->socket >= 0;
    case AZC_FROM_REFUSAL:
      snprintf(text, sizeof text, "the scanner refuses this core: %.*s", (int)(bytes - 8), (const char *)in + 8);
      azc_disconnect(core, text);
      return 0;
    default:
      break;
  }
  azc_disconnect(core, "the scanner sent something that is no message of this protocol");
  return 0;
}

static void azc_read(azc_core *core) {
  ssize_t received = recv(core->socket, core->in + core->in_bytes, sizeof core->in - core->in_bytes, 0);
  size_t at = 0;
  if (received <= 0) {
    if (received < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
    azc_disconnect(core, received == 0 ? "the scanner has closed the connection" : strerror(errno));
    return;
  }
  core->in_bytes += (size_t)received;
  while (core->in_bytes - at >= 8) {
    size_t bytes = azc_get32(core->in + at);
    if (bytes < 8 || bytes > sizeof core->in) {
      azc_disconnect(core, "the scanner sent something that is no message of this protocol");
      return;
    }
    if (core->in_bytes - at < bytes) break;
    if (!azc_take(core, core->in + at, bytes)) return;
    at += bytes;
  }
  core->in_bytes -= at;
  memmove(core->in, core->in + at, core->in_bytes);
}

void azc_wait(azc_core *core, int64_t until) {
  int had_order = core->has_order;
  uint32_t number = core->order.number;
  do {
    fd_set readable, writable;
    int64_t now = azc_now();
    int64_t end = until;
    struct timespec wait;
    if (core->state == AZC_OFF && now >= core->next_attempt) azc_connect(core);
    if (core->state == AZC_OFF && core->next_attempt < end) end = core->next_attempt;
    wait.tv_sec = (time_t)(end > now ? (end - now) / 1000000000 : 0);
    wait.tv_nsec = (long)(end > now ? (end - now) % 1000000000 : 0);
    FD_ZERO(&readable);
    FD_ZERO(&writable);
    if (core->socket >= 0) {
      if (core->state != AZC_CONNECTING) FD_SET(core->socket, &readable);
      if (core->state == AZC_CONNECTING || core->out_sent < core->out_bytes) FD_SET(core->socket, &writable);
    }
    if (pselect(core->socket + 1, &readable, &writable, NULL, &wait, NULL) > 0) {
      if (core->state == AZC_CONNECTING) {
        azc_connected(core);
      } else {
        if (FD_ISSET(core->socket, &writable)) azc_flush(core);
        if (core->socket >= 0 && FD_ISSET(core->socket, &readable)) azc_read(core);
      }
    }
    if (core->has_order != had_order || (had_order && core->order.number != number)) return;
  } while (azc_now() < until);
}

int azc_segment(azc_core *core, uint32_t scan, int64_t time, uint32_t first, uint32_t count, const float *distance,
                const uint16_t *rssi, const uint8_t *flags) {
  size_t echoes = (size_t)AZC_ECHOES * count;
  size_t each;
  unsigned char *at;
  if (!core->has_order || count > AZC_MOST_BEAMS) return 0;
  if (core->is_broken && core->broken_scan == scan) return 0;
  if (!azc_begin(core, AZC_SEGMENT, 32 + 7 * echoes)) {
    core->is_broken = 1;
    core->broken_scan = scan;
    return 0;
  }
  azc_put32(core->out + 8, core->order.number);
  azc_put32(core->out + 12, scan);
  azc_put64(core->out + 16, (uint64_t)time);
  azc_put32(core->out + 24, first);
  azc_put32(core->out + 28, count);
  at = core->out + 32;
  for (each = 0; each < echoes; each += 1, at += 4) azc_put_float(at, distance[each]);
  for (each = 0; each < echoes; each += 1, at += 2) azc_put16(at, rssi[each]);
  if (flags != NULL) memcpy(at, flags, echoes);
  else memset(at, 0, echoes);
  azc_flush(core);
  return core->state > AZC_LOST;
}

int azc_started(azc_core *core) {
  if (!core->has_order || !azc_begin(core, AZC_STARTED, 12)) return 0;
  azc_put32(core->out + 8, core->order.number);
  azc_flush(core);
  return core->state > AZC_LOST;
}

int azc_motion(azc_core *core, const float acceleration[3], const float angular_velocity[3],
               const float orientation[4]) {
  int each;
  if (core->state != AZC_CONNECTED || !azc_begin(core, AZC_MOTION, 48)) return 0;
  for (each = 0; each < 3; each += 1) {
    azc_put_float(core->out + 8 + 4 * each, acceleration[each]);
    azc_put_float(core->out + 20 + 4 * each, angular_velocity[each]);
  }
  for (each = 0; each < 4; each += 1) azc_put_float(core->out + 32 + 4 * each, orientation[each]);
  azc_flush(core);
  return core->state > AZC_LOST;
}

int azc_status(azc_core *core, int is_error, const char *text) {
  size_t bytes = azc_text(text, 500);
  if (core->state != AZC_CONNECTED || !azc_begin(core, AZC_STATUS, 12 + bytes)) return 0;
  azc_put32(core->out + 8, is_error ? 1 : 0);
  memcpy(core->out + 12, text, bytes);
  azc_flush(core);
  return core->state > AZC_LOST;
}

#endif
