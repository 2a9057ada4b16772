// A participant of Fast DDS that talks over loopback alone, and a type whose samples are the serialised bytes.
#pragma once

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

#include <cstring>
#include <vector>

namespace fast = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

using Bytes = std::vector<char>;

class RawType : public fast::TopicDataType {
 public:
  explicit RawType(const std::string &name) {
    setName(name.c_str());
    m_typeSize = 128;
    auto_fill_type_object(false);
    auto_fill_type_information(false);
  }

  bool serialize(void *data, rtps::SerializedPayload_t *payload) override {
    const Bytes &bytes = *static_cast<Bytes *>(data);
    if (bytes.size() > payload->max_size) return false;
    payload->encapsulation = CDR_LE;
    payload->length = static_cast<uint32_t>(bytes.size());
    memcpy(payload->data, bytes.data(), bytes.size());
    return true;
  }

  bool deserialize(rtps::SerializedPayload_t *payload, void *data) override {
    const char *start = reinterpret_cast<const char *>(payload->data);
    static_cast<Bytes *>(data)->assign(start, start + payload->length);
    return true;
  }

  std::function<uint32_t()> getSerializedSizeProvider(void *data) override {
    return [data] { return static_cast<uint32_t>(static_cast<Bytes *>(data)->size()); };
  }

  void *createData() override { return new Bytes(); }
  void deleteData(void *data) override { delete static_cast<Bytes *>(data); }
  bool getKey(void *, rtps::InstanceHandle_t *, bool) override { return false; }
};

inline fast::DomainParticipant *open_participant(uint32_t domain, fast::DomainParticipantListener *listener) {
  fast::DomainParticipantQos qos;
  auto loopback = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
  loopback->interfaceWhiteList.push_back("127.0.0.1");
  qos.transport().use_builtin_transports = false;
  qos.transport().user_transports.push_back(loopback);
  return fast::DomainParticipantFactory::get_instance()->create_participant(
      domain, qos, listener, fast::StatusMask::none());
}
