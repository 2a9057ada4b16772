// fastdds-subscriber DOMAIN [TOPIC,TYPE,RELIABILITY,DURABILITY,USERDATA]… : reads these topics until stdin ends, and
// prints what it reads and what it discovers. Every tenth sample of a reader, and its first, is printed with its content.
#include <fastcdr/FastBuffer.h>
#include <fastdds/dds/domain/DomainParticipantListener.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <unistd.h>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "fastdds-content.hpp"
#include "fastdds-participant.hpp"

namespace {

/** Prints in a thread of its own: the listeners run in the threads that receive, and a full pipe must not stop those. */
class Printer {
 public:
  void put(std::string text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    lines_.push_back(std::move(text));
    changed_.notify_one();
  }

  /** Prints what is left. */
  void finish() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      finished_ = true;
      changed_.notify_one();
    }
    thread_.join();
  }

 private:
  void run() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return finished_ || !lines_.empty(); });
      if (lines_.empty()) return;
      const std::string text = std::move(lines_.front());
      lines_.pop_front();
      lock.unlock();
      fwrite(text.data(), 1, text.size(), stdout);
      fflush(stdout);
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  bool finished_ = false;
  std::thread thread_{[this] { run(); }};
};

Printer &printer() {
  static Printer one;
  return one;
}

constexpr int full_every = 10;

void add_guid(line *line, const char *name, const rtps::GUID_t &guid) {
  uint8_t bytes[16];
  memcpy(bytes, guid.guidPrefix.value, 12);
  memcpy(bytes + 12, guid.entityId.value, 4);
  add_hex(line, name, bytes, sizeof bytes);
}

void add_user_data(line *line, const std::vector<rtps::octet> &data) {
  if (!data.empty()) add_text(line, "userData", std::string(data.begin(), data.end()).c_str());
}

/** What a writer and a reader announce alike. */
template <typename Data>
void describe_endpoint(line *line, const Data &data) {
  add_text(line, "topic", data.topicName().c_str());
  add_text(line, "type", data.typeName().c_str());
  const bool reliable = data.m_qos.m_reliability.kind == fast::RELIABLE_RELIABILITY_QOS;
  add_text(line, "reliability", reliable ? "reliable" : "best-effort");
  const auto durability = data.m_qos.m_durability.kind;
  add_text(line, "durability",
           durability == fast::VOLATILE_DURABILITY_QOS          ? "volatile"
           : durability == fast::TRANSIENT_LOCAL_DURABILITY_QOS ? "transient-local"
                                                               : "other");
  add_user_data(line, data.m_qos.m_userData.getValue());
}

class Discovery : public fast::DomainParticipantListener {
  void on_participant_discovery(fast::DomainParticipant *, rtps::ParticipantDiscoveryInfo &&found) override {
    line line;
    begin(&line, "participant");
    add_guid(&line, "guid", found.info.m_guid);
    const bool disposed = found.status == rtps::ParticipantDiscoveryInfo::REMOVED_PARTICIPANT;
    const bool gone = found.status == rtps::ParticipantDiscoveryInfo::DROPPED_PARTICIPANT;
    add_text(&line, "state", disposed ? "disposed" : gone ? "gone" : "alive");
    add_user_data(&line, found.info.m_userData.getValue());
    end(&line);
  }

  void on_publisher_discovery(fast::DomainParticipant *, rtps::WriterDiscoveryInfo &&found) override {
    line line;
    begin(&line, "writer");
    add_guid(&line, "guid", found.info.guid());
    const bool removed = found.status == rtps::WriterDiscoveryInfo::REMOVED_WRITER;
    add_text(&line, "state", removed ? "disposed" : "alive");
    describe_endpoint(&line, found.info);
    end(&line);
  }

  void on_subscriber_discovery(fast::DomainParticipant *, rtps::ReaderDiscoveryInfo &&found) override {
    line line;
    begin(&line, "reader");
    add_guid(&line, "guid", found.info.guid());
    const bool removed = found.status == rtps::ReaderDiscoveryInfo::REMOVED_READER;
    add_text(&line, "state", removed ? "disposed" : "alive");
    describe_endpoint(&line, found.info);
    end(&line);
  }
};

class Samples : public fast::DataReaderListener {
 public:
  Samples(int number, std::string topic, const Content &content)
      : number_(number), topic_(std::move(topic)), content_(content) {}

 private:
  void on_data_available(fast::DataReader *reader) override {
    Bytes bytes;
    fast::SampleInfo info;
    while (reader->take_next_sample(&bytes, &info) == eprosima::fastrtps::types::ReturnCode_t::RETCODE_OK) {
      line line;
      // In place of a large sample that it gave up incomplete, Fast DDS 2.9.1 hands out one with no content and no number.
      const bool is_hole = bytes.empty() && info.sample_identity.sequence_number().to64long() == 0;
      const bool is_sample = info.valid_data && !is_hole;
      begin(&line, is_sample ? "sample" : is_hole ? "hole" : "end");
      add_whole(&line, "reader", number_);
      add_text(&line, "topic", topic_.c_str());
      add_guid(&line, "writer", info.sample_identity.writer_guid());
      if (is_sample) describe(&line, bytes, info);
      end(&line);
      bytes.clear();
    }
  }

  void describe(line *line, Bytes &bytes, const fast::SampleInfo &info) {
    add_whole(line, "sent", info.source_timestamp.to_ns() / 1000);
    add_whole(line, "sequence", static_cast<int64_t>(info.sample_identity.sequence_number().to64long()));
    eprosima::fastcdr::FastBuffer buffer(bytes.data(), bytes.size());
    Cdr cdr(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
    try {
      cdr.read_encapsulation();
      content_.describe(line, cdr, samples_ % full_every == 0);
      // At the end there may be padding to a multiple of 4 bytes.
      if (bytes.size() - cdr.getSerializedDataLength() > 3) fail("bytes behind the message");
    } catch (const eprosima::fastcdr::exception::Exception &error) {
      fail(error.what());
    }
    samples_ += 1;
  }

  [[noreturn]] void fail(const char *what) const {
    fprintf(stderr, "%s: %s\n", topic_.c_str(), what);
    _exit(1);
  }

  void on_subscription_matched(fast::DataReader *, const fast::SubscriptionMatchedStatus &matched) override {
    line line;
    begin(&line, "matched");
    add_whole(&line, "reader", number_);
    add_text(&line, "topic", topic_.c_str());
    add_whole(&line, "writers", matched.current_count);
    add_whole(&line, "total", matched.total_count);
    end(&line);
  }

  void on_sample_lost(fast::DataReader *, const fast::SampleLostStatus &lost) override {
    line line;
    begin(&line, "lost");
    add_whole(&line, "reader", number_);
    add_whole(&line, "total", lost.total_count);
    end(&line);
  }

  void on_requested_incompatible_qos(fast::DataReader *,
                                     const fast::RequestedIncompatibleQosStatus &incompatible) override {
    line line;
    begin(&line, "incompatible");
    add_whole(&line, "reader", number_);
    add_whole(&line, "policy", incompatible.last_policy_id);
    end(&line);
  }

  const int number_;
  const std::string topic_;
  const Content &content_;
  int64_t samples_ = 0;
};

fast::DataReaderQos qos_of(bool reliable, bool late, const std::string &user_data) {
  fast::DataReaderQos qos;
  qos.reliability().kind = reliable ? fast::RELIABLE_RELIABILITY_QOS : fast::BEST_EFFORT_RELIABILITY_QOS;
  qos.durability().kind = late ? fast::TRANSIENT_LOCAL_DURABILITY_QOS : fast::VOLATILE_DURABILITY_QOS;
  qos.history().kind = fast::KEEP_ALL_HISTORY_QOS;
  qos.user_data().setValue({user_data.begin(), user_data.end()});
  qos.endpoint().history_memory_policy = rtps::DYNAMIC_REUSABLE_MEMORY_MODE;
  return qos;
}

std::string word(const char *list, int number) {
  char found[256];
  word_of(list, number, found, sizeof found);
  return found;
}

}  // namespace

static void print(const char *text, size_t size) { printer().put(std::string(text, size)); }

int main(int count, char **words) {
  if (count < 2) return 2;
  Discovery discovery;
  std::vector<std::unique_ptr<Samples>> listeners;
  fast::DomainParticipant *participant = open_participant(static_cast<uint32_t>(atoi(words[1])), &discovery);
  if (participant == nullptr) return 1;
  fast::Subscriber *subscriber = participant->create_subscriber(fast::SUBSCRIBER_QOS_DEFAULT);
  for (int at = 2; at < count; at += 1) {
    const std::string name = word(words[at], 0);
    const Content &content = contents().at(word(words[at], 1));
    fast::TypeSupport type(new RawType(content.type));
    type.register_type(participant);
    fast::TopicDescription *topic = participant->lookup_topicdescription(name);
    if (topic == nullptr) topic = participant->create_topic(name, content.type, fast::TOPIC_QOS_DEFAULT);
    listeners.push_back(std::make_unique<Samples>(at - 2, name, content));
    const fast::DataReaderQos qos =
        qos_of(word(words[at], 2) == "reliable", word(words[at], 3) == "transient-local", word(words[at], 4));
    if (subscriber->create_datareader(topic, qos, listeners.back().get()) == nullptr) return 1;
  }
  line line;
  begin(&line, "ready");
  add_guid(&line, "guid", participant->guid());
  end(&line);
  char ignored;
  while (read(STDIN_FILENO, &ignored, 1) > 0) continue;
  participant->delete_contained_entities();
  fast::DomainParticipantFactory::get_instance()->delete_participant(participant);
  printer().finish();
  return 0;
}
