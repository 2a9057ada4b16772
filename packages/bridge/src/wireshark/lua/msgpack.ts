/** Scans in MSGPACK: the envelope, and its payload as a tree with the names of its keys. */
export const msgpack = `
local mostDepth = 16

-- Forms of values by the first byte: kind, bytes of the number or of the length behind it.
local msgpack_forms = {
  [0xc0] = { "nil", 0 }, [0xc2] = { "boolean", 0 }, [0xc3] = { "boolean", 0 },
  [0xc4] = { "bytes", 1 }, [0xc5] = { "bytes", 2 }, [0xc6] = { "bytes", 4 },
  [0xc7] = { "extension", 1 }, [0xc8] = { "extension", 2 }, [0xc9] = { "extension", 4 },
  [0xca] = { "float", 4 }, [0xcb] = { "float", 8 },
  [0xcc] = { "whole", 1 }, [0xcd] = { "whole", 2 }, [0xce] = { "whole", 4 }, [0xcf] = { "whole", 8 },
  [0xd0] = { "signed", 1 }, [0xd1] = { "signed", 2 }, [0xd2] = { "signed", 4 }, [0xd3] = { "signed", 8 },
  [0xd9] = { "text", 1 }, [0xda] = { "text", 2 }, [0xdb] = { "text", 4 },
  [0xdc] = { "list", 2 }, [0xdd] = { "list", 4 }, [0xde] = { "map", 2 }, [0xdf] = { "map", 4 },
}
local contents = { bytes = true, text = true, extension = true }

-- Reads the head of a value: its kind, its number or the number of its items or bytes, and the offset behind the head.
-- Returns nothing if the payload ends before, or if no value begins so.
local function msgpack_head(tvb, at, stop)
  if at >= stop then return nil end
  local first = tvb:range(at, 1):uint()
  if first < 0x80 then return "whole", first, at + 1 end
  if first < 0x90 then return "map", first - 0x80, at + 1 end
  if first < 0xa0 then return "list", first - 0x90, at + 1 end
  if first < 0xc0 then return "text", first - 0xa0, at + 1 end
  if first >= 0xe0 then return "signed", first - 0x100, at + 1 end
  if first >= 0xd4 and first <= 0xd8 then return "extension", 2 ^ (first - 0xd4), at + 1 end
  local form = msgpack_forms[first]
  if form == nil then return nil end
  local kind, size = form[1], form[2]
  if at + 1 + size > stop then return nil end
  if kind == "nil" then return kind, 0, at + 1 end
  if kind == "boolean" then return kind, first - 0xc2, at + 1 end
  local range = tvb:range(at + 1, size)
  if kind == "float" then return kind, range:float(), at + 1 + size end
  if kind == "signed" then
    if size == 8 then return kind, range:int64():tonumber(), at + 1 + size end
    return kind, range:int(), at + 1 + size
  end
  if size == 8 then return kind, range:uint64():tonumber(), at + 1 + size end
  return kind, range:uint(), at + 1 + size
end

-- Shows the first numbers of an array, if it is one.
local function put_numbers(tvb, tree, array, member)
  local element = array.type and data.elements[array.type]
  if element == nil or array.bytes == nil or member == nil or member.field == nil then return end
  if not is_wanted(tree, member.field) then return end
  local size = sizes[element]
  local count = math.floor(array.bytes / size)
  local shown = math.min(count, shown_at_most())
  for index = 0, shown - 1 do
    if room <= 0 then break end
    local range = tvb:range(array.at + size * index, size)
    local value = number_of(range, element, true)
    annotate(put(tree, member.field, range, value), member.unit, value)
  end
  tree:append_text(" (" .. counted(count, "number", "numbers") .. (count > shown and ", the first " .. whole(shown) .. " are shown)" or ")"))
end

local msgpack_value

local function msgpack_map(walk, node, at, count, member, depth)
  local array = {}
  for _ = 1, count do
    local kind, key, behind = msgpack_head(walk.tvb, at, walk.stop)
    if kind ~= "whole" then return nil, at end
    local inner = data.members[key] or { label = "key " .. (key < 2 ^ 31 and string.format("0x%x", key) or whole(key)) }
    -- The data of an array of numbers have the name of the array.
    local next, failed = msgpack_value(walk, node, behind, inner, depth + 1, array, at)
    if next == nil then return nil, failed end
    at = next
  end
  put_numbers(walk.tvb, node, array, member)
  return at
end

-- Adds a value. Returns the offset behind it, or nothing and the offset at which it fails.
function msgpack_value(walk, tree, at, member, depth, holder, from)
  local tvb, stop = walk.tvb, walk.stop
  local kind, value, behind = msgpack_head(tvb, at, stop)
  if kind == nil or depth > mostDepth then return nil, at end
  local label = member and member.label or "value"
  if kind == "map" or kind == "list" then
    local node = put_text(tree, tvb:range(from, stop - from), label)
    local next, failed = behind, nil
    if kind == "map" then
      next, failed = msgpack_map(walk, node, behind, value, member, depth)
    else
      for _ = 1, value do
        local item
        item, failed = msgpack_value(walk, node, next, member, depth + 1, holder, next)
        next = item
        if item == nil then break end
      end
    end
    if next == nil then return nil, failed end
    node:set_len(next - from)
    return next
  end
  if contents[kind] then
    local size = value + (kind == "extension" and 1 or 0)
    if behind + size > stop then return nil, at end
    if member and member.key == "data" and holder then holder.at, holder.bytes = behind, size end
    put_text(tree, tvb:range(from, behind + size - from), label .. ": " .. counted(size, "byte", "bytes"))
    return behind + size
  end
  if member and member.key == "element_types" and holder then holder.type = value end
  local range = tvb:range(from, behind - from)
  local isNumber = kind == "whole" or (member and member.form == "float" and kind ~= "nil") or (member and member.form == "boolean" and kind == "boolean")
  if member and member.field and isNumber then
    local item = put(tree, member.field, range, value)
    annotate(item, member.unit, value)
    if walk.values[member.key] == nil then walk.values[member.key] = value end
  else
    put_text(tree, range, label .. ": " .. (kind == "nil" and "nil" or tostring(value)))
  end
  return behind
end

local function msgpack(tvb, tree)
  local values = {}
  local at = put_layout(tvb, tree, 0, data.layouts.msgpack_envelope, true, values)
  if at == nil then return "Scan, cut off" end
  local length, stop = tvb:len(), at + values.payload_bytes
  if stop > length then
    complain(tree, "wrong_length", "A payload of " .. whole(values.payload_bytes) .. " bytes does not fit into " .. whole(length) .. " bytes")
    stop = length
  end
  local walk = { tvb = tvb, stop = stop, values = values }
  local behind, failed = msgpack_value(walk, tree, at, { label = "Payload" }, 0, nil, at)
  local info = "Scan"
  if values.frame_number then
    info = info .. " " .. whole(values.frame_number)
    if values.segment_index then info = info .. ", segment " .. whole(values.segment_index) end
    if values.beams and values.echoes then info = info .. ", " .. counted(values.beams, "beam", "beams") .. " of up to " .. counted(values.echoes, "echo", "echoes") end
    if values.sequence then info = info .. ", telegram " .. whole(values.sequence) end
  end
  if behind == nil then
    complain(tree, "bad_value", "No value of MessagePack at byte " .. whole(failed or at))
    info = info .. " [malformed]"
  elseif behind ~= stop then
    complain(tree, "left_over", counted(stop - behind, "byte", "bytes") .. " behind the payload")
  end
  if not put_crc(tvb, tree, "msgpack.crc", at, stop) then return info .. " [wrong CRC]" end
  note_rest(tvb, tree, stop + 4)
  return info
end
`;
