/** Finds telegrams in packets: by ports, and by their first bytes. */
export const packets = String.raw`
local dissectors = {
  compact = { "Compact", "Compact" },
  msgpack = { "MSGPACK", "MSGPACK", msgpack },
  cola_a = { "CoLa A", "CoLa A, text", cola_a },
  cola_b = { "CoLa B", "CoLa B, binary", cola_b },
  search = { "Device search", "device search", device_search },
}
local of_compact = {
  [data.types_of_compact.scan] = { "Compact", "Compact, scan", compact_scan },
  [data.types_of_compact.imu] = { "Compact IMU", "Compact, IMU", compact_imu },
  [data.types_of_compact.encoder] = { "Compact encoder", "Compact, encoder", compact_encoder },
}

local marker = "\2\2\2\2"

local function u32_little(text, at)
  local a, b, c, d = text:byte(at + 1, at + 4)
  return a + b * 256 + c * 65536 + d * 16777216
end

local function u32_big(text, at)
  local a, b, c, d = text:byte(at + 1, at + 4)
  return d + c * 256 + b * 65536 + a * 16777216
end

local most = data.mostTelegramBytes

-- Size of a scan in Compact: each module states the size of the next one. Nothing if more bytes are needed, 0 if none is valid.
local function compact_size(text, at, length)
  if length - at < 32 then return nil end
  local version = u32_little(text, at + 24)
  if version ~= 3 and version ~= 4 then return 0 end
  local rowBytes, size, behind = 0, u32_little(text, at + 28), 32
  for _, field in ipairs(data.layouts.row) do rowBytes = rowBytes + field.size end
  for _ = 1, 256 do
    if size == 0 then return behind + 4 end
    if behind + size > most then return 0 end
    if length - at < behind + 32 then return nil end
    local rows = u32_little(text, at + behind + 20)
    local ending = 32 + rowBytes * rows + (version == 4 and 4 or 0)
    if ending + 8 > size then return 0 end
    if length - at < behind + ending + 4 then return nil end
    behind, size = behind + size, u32_little(text, at + behind + ending)
  end
  return 0
end

-- Finds out what begins at an offset: its kind and its size. The kind is nil if no telegram begins there, and the size is nil
-- if more bytes are needed.
local function telegram_at(text, at, length)
  local left = length - at
  if text:byte(at + 1) ~= data.textStart then return nil end
  if text:byte(at + 2) == 0x73 then
    if left >= 4 and not data.commands[text:sub(at + 2, at + 4)] then return nil end
    local mark = text:find("[\2\3]", at + 2)
    if mark == nil then
      if left > most then return nil end
      return dissectors.cola_a, nil
    end
    if text:byte(mark) == data.textStart then return nil end
    return dissectors.cola_a, mark - at
  end
  if left < 12 then
    if text:sub(at + 1, at + math.min(4, left)) == marker:sub(1, math.min(4, left)) then return dissectors.compact, nil end
    return nil
  end
  if text:sub(at + 1, at + 4) ~= marker then return nil end
  local big = u32_big(text, at + 4)
  if text:byte(at + 9) == 0x73 and data.commands[text:sub(at + 9, at + 11)] then
    if big < 3 or big > most then return nil end
    return dissectors.cola_b, 8 + big + 1
  end
  local kind = u32_little(text, at + 4)
  local compact = of_compact[kind]
  if compact == nil then
    if kind < 16 or kind > most then return nil end
    return dissectors.msgpack, 8 + kind + 4
  end
  local size
  if kind == data.types_of_compact.imu then
    if u32_little(text, at + 8) ~= data.imuVersion then return nil end
    return compact, data.imuBytes
  elseif kind == data.types_of_compact.scan then
    size = compact_size(text, at, length)
  elseif left >= 32 then
    local payload = u32_little(text, at + 28)
    size = u32_little(text, at + 24) == data.encoderVersion and payload >= data.encoderPayloadBytes and payload <= most and 32 + payload + 4 or 0
  end
  if size == 0 then return nil end
  return compact, size
end

-- Finds out what a datagram is. Its length is that of the telegram.
local function datagram_kind(tvb)
  local length = tvb:len()
  if length < 8 then return nil end
  local text = tvb:raw(0, math.min(length, 16))
  if text:sub(1, 4) == marker then
    if length > 11 and text:byte(9) == 0x73 and data.commands[text:sub(9, 11)] then return dissectors.cola_b end
    return of_compact[u32_little(text, 4)] or dissectors.msgpack
  end
  if text:byte(1) == data.textStart and data.commands[text:sub(2, 4)] then return dissectors.cola_a end
  if length >= 16 and data.searchTelegrams[text:byte(1)] and text:byte(2) == 0 then return dissectors.search end
  return nil
end

local function dissect(kind, tvb, root, infos)
  local tree = nowhere
  if hasRoom(root) then
    tree = root:add(azimuth, tvb:range(), "2D laser scanner, " .. kind[2])
  end
  local info = kind[3](tvb, tree)
  if #infos < 5 then infos[#infos + 1] = info end
  return info
end

local function set_columns(pinfo, name, infos, count)
  local text = table.concat(infos, " | ", 1, math.min(4, #infos))
  if count > 4 then text = text .. " | and " .. whole(count - 4) .. " more" end
  pinfo.cols.protocol = name
  -- A packet may end a telegram and have others behind it.
  if pinfo.private["azimuth"] then text = " | " .. text end
  pinfo.private["azimuth"] = "1"
  pinfo.cols.info = text
  pinfo.cols.info:fence()
end

-- Dissects bytes of a stream: telegrams one after the other, which may be cut anywhere.
local function stream(tvb, pinfo, root)
  local length = tvb:len()
  local isComplete = length == tvb:reported_len()
  local text = tvb:raw()
  local at, count, infos, name = 0, 0, {}, "Azimuth"
  while at < length do
    local kind, size = telegram_at(text, at, length)
    if kind == nil then
      local next = text:find("\2", at + 2, true)
      next = next and next - 1 or length
      -- Bytes of a telegram whose beginning is not there, or with a wrong length.
      while next < length and telegram_at(text, next, length) == nil do
        next = text:find("\2", next + 2, true)
        next = next and next - 1 or length
      end
      local range = tvb:range(at, next - at)
      complain(put_read(root, "unknown", range), "unknown_bytes", counted(next - at, "byte", "bytes") .. " of no telegram")
      at = next
    elseif size == nil or at + size > length then
      if isComplete and pinfo.can_desegment > 0 then
        pinfo.desegment_offset = at
        pinfo.desegment_len = size and at + size - length or DESEGMENT_ONE_MORE_SEGMENT
        break
      end
      count, name = count + 1, kind[1]
      if kind[3] then dissect(kind, tvb:range(at):tvb(), root, infos) end
      at = length
    else
      count, name = count + 1, kind[1]
      dissect(kind, tvb:range(at, size):tvb(), root, infos)
      at = at + size
    end
  end
  if count > 0 then set_columns(pinfo, name, infos, count) end
  return length
end

local function datagram(tvb, pinfo, root)
  local kind = datagram_kind(tvb)
  if kind == nil then return 0 end
  local infos = {}
  dissect(kind, tvb, root, infos)
  set_columns(pinfo, kind[1], infos, 1)
  return tvb:len()
end

local TCP = 2

local function packet(tvb, pinfo, root)
  if tvb:len() == 0 then return 0 end
  room = mostItems
  if pinfo.port_type == TCP or pinfo.can_desegment > 0 then return stream(tvb, pinfo, root) end
  return datagram(tvb, pinfo, root)
end

azimuth.dissector = packet

-- Heuristics call the function itself: a call as a dissector could not ask for more segments.
azimuth:register_heuristic("udp", function(tvb, pinfo, root)
  local kind = datagram_kind(tvb)
  if kind == nil then return false end
  if kind == dissectors.search then
    -- The beginning of a search is short: every known byte of its header must fit.
    local isRequest = tvb:range(0, 1):uint() < 0x80
    if tvb:range(14, 1):uint() ~= (isRequest and 1 or 0) then return false end
    if tvb:range(2, 2):uint() ~= tvb:len() - 16 then return false end
  elseif kind == dissectors.msgpack then
    if tvb:range(4, 4):le_uint() ~= tvb:len() - 12 then return false end
  end
  packet(tvb, pinfo, root)
  return true
end)

azimuth:register_heuristic("tcp", function(tvb, pinfo, root)
  local length = tvb:len()
  if length < 5 then return false end
  local kind = telegram_at(tvb:raw(), 0, length)
  if kind == nil or (kind == dissectors.compact and length < 12) then return false end
  pinfo.conversation = azimuth
  packet(tvb, pinfo, root)
  return true
end)

local function register_ports()
  for transport, ports in pairs({ ["udp.port"] = prefs.udp_ports, ["tcp.port"] = prefs.tcp_ports }) do
    local ofPorts = DissectorTable.get(transport)
    ofPorts:remove_all(azimuth)
    if ports ~= "" then ofPorts:add(ports, azimuth) end
  end
end

azimuth.prefs_changed = register_ports
register_ports()
`;
