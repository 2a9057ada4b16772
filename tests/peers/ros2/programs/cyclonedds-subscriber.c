// cyclonedds-subscriber DOMAIN [TOPIC,TYPE,RELIABILITY,DURABILITY,USERDATA]… : reads these topics until stdin ends, and
// prints what it reads and what it discovers. Every tenth sample of a reader, and its first, is printed with its content.
#include <dds/dds.h>
#include <poll.h>
#include <unistd.h>

#include "cyclonedds-content.h"

enum { most_readers = 80, full_every = 10 };

struct reader {
  dds_entity_t entity;
  const struct type *type;
  char topic[256];
  int number;
  int64_t samples;
};

/** The library receives in threads of its own, which a full pipe does not stop. */
static void print(const char *text, size_t size) {
  fwrite(text, 1, size, stdout);
  fflush(stdout);
}

static dds_entity_t checked(const char *what, dds_return_t result) {
  if (result >= 0) return result;
  fprintf(stderr, "%s: %s\n", what, dds_strretcode(-result));
  exit(1);
}

static void add_writer(struct line *line, dds_entity_t reader, dds_instance_handle_t writer) {
  dds_builtintopic_endpoint_t *endpoint = dds_get_matched_publication_data(reader, writer);
  if (endpoint == NULL) return;
  add_hex(line, "writer", endpoint->key.v, sizeof endpoint->key.v);
  dds_builtintopic_free_endpoint(endpoint);
}

static void read_samples(struct reader *reader) {
  void *sample = NULL;
  dds_sample_info_t info;
  while (checked("dds_take", dds_take(reader->entity, &sample, &info, 1, 1)) == 1) {
    struct line line;
    begin(&line, info.valid_data ? "sample" : "end");
    add_whole(&line, "reader", reader->number);
    add_text(&line, "topic", reader->topic);
    add_writer(&line, reader->entity, info.publication_handle);
    add_whole(&line, "sent", info.source_timestamp / 1000);
    if (info.valid_data) {
      reader->type->describe(&line, sample, reader->samples % full_every == 0);
      reader->samples += 1;
    }
    end(&line);
    dds_return_loan(reader->entity, &sample, 1);
  }
}

static void report_status(const struct reader *reader) {
  dds_subscription_matched_status_t matched;
  checked("matched", dds_get_subscription_matched_status(reader->entity, &matched));
  if (matched.total_count_change != 0 || matched.current_count_change != 0) {
    struct line line;
    begin(&line, "matched");
    add_whole(&line, "reader", reader->number);
    add_text(&line, "topic", reader->topic);
    add_whole(&line, "writers", matched.current_count);
    add_whole(&line, "total", matched.total_count);
    end(&line);
  }
  dds_sample_lost_status_t lost;
  checked("lost", dds_get_sample_lost_status(reader->entity, &lost));
  if (lost.total_count_change != 0) {
    struct line line;
    begin(&line, "lost");
    add_whole(&line, "reader", reader->number);
    add_whole(&line, "total", lost.total_count);
    end(&line);
  }
  dds_requested_incompatible_qos_status_t incompatible;
  checked("incompatible", dds_get_requested_incompatible_qos_status(reader->entity, &incompatible));
  if (incompatible.total_count_change != 0) {
    struct line line;
    begin(&line, "incompatible");
    add_whole(&line, "reader", reader->number);
    add_whole(&line, "policy", incompatible.last_policy_id);
    end(&line);
  }
}

static void add_user_data(struct line *line, const dds_qos_t *qos) {
  void *data = NULL;
  size_t size = 0;
  if (!dds_qget_userdata(qos, &data, &size) || data == NULL) return;
  add_text(line, "userData", data);
  dds_free(data);
}

static void add_state(struct line *line, const dds_sample_info_t *info) {
  const bool alive = info->instance_state == DDS_IST_ALIVE;
  add_text(line, "state", alive ? "alive" : info->instance_state == DDS_IST_NOT_ALIVE_DISPOSED ? "disposed" : "gone");
}

static void read_participants(dds_entity_t topic) {
  void *sample = NULL;
  dds_sample_info_t info;
  while (checked("participants", dds_take(topic, &sample, &info, 1, 1)) == 1) {
    const dds_builtintopic_participant_t *participant = sample;
    struct line line;
    begin(&line, "participant");
    add_hex(&line, "guid", participant->key.v, sizeof participant->key.v);
    add_state(&line, &info);
    if (info.valid_data) add_user_data(&line, participant->qos);
    end(&line);
    dds_return_loan(topic, &sample, 1);
  }
}

static void read_endpoints(const char *event, dds_entity_t topic) {
  void *sample = NULL;
  dds_sample_info_t info;
  while (checked("endpoints", dds_take(topic, &sample, &info, 1, 1)) == 1) {
    const dds_builtintopic_endpoint_t *endpoint = sample;
    struct line line;
    begin(&line, event);
    add_hex(&line, "guid", endpoint->key.v, sizeof endpoint->key.v);
    add_state(&line, &info);
    if (info.valid_data) {
      dds_reliability_kind_t reliability = DDS_RELIABILITY_BEST_EFFORT;
      dds_durability_kind_t durability = DDS_DURABILITY_VOLATILE;
      dds_duration_t blocking;
      dds_qget_reliability(endpoint->qos, &reliability, &blocking);
      dds_qget_durability(endpoint->qos, &durability);
      add_hex(&line, "participant", endpoint->participant_key.v, sizeof endpoint->participant_key.v);
      add_text(&line, "topic", endpoint->topic_name);
      add_text(&line, "type", endpoint->type_name);
      add_text(&line, "reliability", reliability == DDS_RELIABILITY_RELIABLE ? "reliable" : "best-effort");
      add_text(&line, "durability", durability == DDS_DURABILITY_VOLATILE          ? "volatile"
                                    : durability == DDS_DURABILITY_TRANSIENT_LOCAL ? "transient-local"
                                                                                   : "other");
      add_user_data(&line, endpoint->qos);
    }
    end(&line);
    dds_return_loan(topic, &sample, 1);
  }
}

static void open_reader(struct reader *reader, dds_entity_t participant, int number, const char *stated) {
  char type[64], reliability[64], durability[64], user_data[128];
  word_of(stated, 0, reader->topic, sizeof reader->topic);
  word_of(stated, 1, type, sizeof type);
  word_of(stated, 2, reliability, sizeof reliability);
  word_of(stated, 3, durability, sizeof durability);
  word_of(stated, 4, user_data, sizeof user_data);
  reader->type = type_of(type);
  if (reader->type == NULL) {
    fprintf(stderr, "no type %s\n", type);
    exit(2);
  }
  reader->number = number;
  dds_qos_t *qos = dds_create_qos();
  const bool reliable = strcmp(reliability, "reliable") == 0;
  const bool late = strcmp(durability, "transient-local") == 0;
  dds_qset_reliability(qos, reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT, DDS_SECS(1));
  dds_qset_durability(qos, late ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
  dds_qset_history(qos, DDS_HISTORY_KEEP_ALL, 0);
  dds_qset_userdata(qos, user_data, strlen(user_data));
  const dds_entity_t topic =
      checked("dds_create_topic", dds_create_topic(participant, reader->type->descriptor, reader->topic, NULL, NULL));
  reader->entity = checked("dds_create_reader", dds_create_reader(participant, topic, qos, NULL));
  dds_delete_qos(qos);
}

static void watch(dds_entity_t waitset, dds_entity_t reader) {
  checked("dds_waitset_attach", dds_waitset_attach(waitset, reader, 0));
}

int main(int count, char **words) {
  static struct reader readers[most_readers];
  if (count < 2 || count - 2 > most_readers) return 2;
  const uint32_t domain = (uint32_t)atoi(words[1]);
  const dds_entity_t participant = checked("dds_create_participant", dds_create_participant(domain, NULL, NULL));
  const dds_entity_t waitset = checked("dds_create_waitset", dds_create_waitset(participant));
  const dds_entity_t participants =
      checked("participants", dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSPARTICIPANT, NULL, NULL));
  const dds_entity_t writers =
      checked("writers", dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, NULL, NULL));
  const dds_entity_t subscriptions =
      checked("readers", dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, NULL, NULL));
  const dds_entity_t builtin[] = {participants, writers, subscriptions};
  for (int at = 0; at < 3; at += 1) {
    checked("mask", dds_set_status_mask(builtin[at], DDS_DATA_AVAILABLE_STATUS));
    watch(waitset, builtin[at]);
  }
  const int own = count - 2;
  for (int at = 0; at < own; at += 1) {
    open_reader(&readers[at], participant, at, words[at + 2]);
    const uint32_t mask = DDS_DATA_AVAILABLE_STATUS | DDS_SUBSCRIPTION_MATCHED_STATUS | DDS_SAMPLE_LOST_STATUS |
                          DDS_REQUESTED_INCOMPATIBLE_QOS_STATUS;
    checked("mask", dds_set_status_mask(readers[at].entity, mask));
    watch(waitset, readers[at].entity);
  }
  dds_guid_t guid;
  checked("guid", dds_get_guid(participant, &guid));
  struct line line;
  begin(&line, "ready");
  add_hex(&line, "guid", guid.v, sizeof guid.v);
  end(&line);
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  while (poll(&input, 1, 0) == 0) {
    dds_waitset_wait(waitset, NULL, 0, DDS_MSECS(50));
    read_participants(participants);
    read_endpoints("writer", writers);
    read_endpoints("reader", subscriptions);
    for (int at = 0; at < own; at += 1) {
      report_status(&readers[at]);
      read_samples(&readers[at]);
    }
  }
  dds_delete(participant);
  return 0;
}
