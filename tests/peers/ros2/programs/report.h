// Lines of JSON on stdout: one for each event that a program of this folder sees. For C and C++.
#ifndef REPORT_H
#define REPORT_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
  char *text;
  size_t size;
  size_t room;
};

static inline void append(struct line *line, const char *format, ...) {
  for (;;) {
    va_list values;
    va_start(values, format);
    const size_t left = line->room - line->size;
    const int size = vsnprintf(left == 0 ? NULL : line->text + line->size, left, format, values);
    va_end(values);
    if ((size_t)size < left) {
      line->size += (size_t)size;
      return;
    }
    line->room = 2 * line->room + (size_t)size + 256;
    line->text = (char *)realloc(line->text, line->room);
    if (line->text == NULL) abort();
  }
}

static inline void begin(struct line *line, const char *event) {
  memset(line, 0, sizeof *line);
  append(line, "{\"event\":\"%s\"", event);
}

/** Prints a whole line. Each program has its own. */
static void print(const char *text, size_t size);

static inline void end(struct line *line) {
  append(line, "}\n");
  print(line->text, line->size);
  free(line->text);
}

static inline void append_quoted(struct line *line, const char *text) {
  append(line, "\"");
  for (const unsigned char *at = (const unsigned char *)text; *at != 0; at += 1) {
    append(line, *at < ' ' || *at == '"' || *at == '\\' ? "\\u%04x" : "%c", *at);
  }
  append(line, "\"");
}

static inline void add_text(struct line *line, const char *name, const char *text) {
  append(line, ",\"%s\":", name);
  append_quoted(line, text);
}

static inline void add_whole(struct line *line, const char *name, int64_t value) {
  append(line, ",\"%s\":%lld", name, (long long)value);
}

static inline void add_flag(struct line *line, const char *name, bool value) {
  append(line, ",\"%s\":%s", name, value ? "true" : "false");
}

static inline void add_hex(struct line *line, const char *name, const void *bytes, size_t size) {
  append(line, ",\"%s\":\"", name);
  for (size_t at = 0; at < size; at += 1) append(line, "%02x", ((const unsigned char *)bytes)[at]);
  append(line, "\"");
}

/** JSON has no infinity: it is a text here. `digits`: 9 keep a float, 17 keep a double. */
static inline void append_number(struct line *line, double value, int digits) {
  if (isnan(value)) append(line, "\"nan\"");
  else if (isinf(value)) append(line, value > 0 ? "\"inf\"" : "\"-inf\"");
  else append(line, "%.*g", digits, value);
}

static inline void add_float(struct line *line, const char *name, float value) {
  append(line, ",\"%s\":", name);
  append_number(line, value, 9);
}

static inline void append_floats(struct line *line, const float *values, size_t count) {
  append(line, "[");
  for (size_t at = 0; at < count; at += 1) {
    if (at > 0) append(line, ",");
    append_number(line, values[at], 9);
  }
  append(line, "]");
}

static inline void add_doubles(struct line *line, const char *name, const double *values, size_t count) {
  append(line, ",\"%s\":[", name);
  for (size_t at = 0; at < count; at += 1) {
    if (at > 0) append(line, ",");
    append_number(line, values[at], 17);
  }
  append(line, "]");
}

/** FNV-1a, continued from `sum`. */
static inline uint32_t digest(uint32_t sum, const void *bytes, size_t size) {
  for (size_t at = 0; at < size; at += 1) sum = (sum ^ ((const unsigned char *)bytes)[at]) * 16777619u;
  return sum;
}

static const uint32_t digest_start = 2166136261u;

/** The part of a list of words, separated by commas, with this number; empty if there is none. */
static inline void word_of(const char *list, int number, char *word, size_t room) {
  for (; number > 0 && list != NULL; number -= 1) {
    list = strchr(list, ',');
    if (list != NULL) list += 1;
  }
  const size_t size = list == NULL ? 0 : strcspn(list, ",");
  snprintf(word, room, "%.*s", (int)size, list == NULL ? "" : list);
}

#endif
