/** Telegrams of the legacy protocol: the command, the name, and the values by their types. */
export const legacy = `
local function put_value(walk, tree, at, size, field, value, label, shown)
  local range = size > 0 and walk.tvb:range(at, size) or walk.tvb:range(math.min(at, walk.tvb:len() - 1), 1)
  local item = put(tree, field, range, value)
  if item ~= nowhere then item:set_text(label .. ": " .. shown) end
  if #walk.summary < 6 and not walk.isSecret then walk.summary[#walk.summary + 1] = printable(shown, 40) end
  return item
end

local function fail(walk, tree, label, came)
  complain(tree, "bad_value", label .. ": a value is expected, got " .. tostring(came))
  return nil
end

local function unit_of(walk, label)
  local unit = walk.units and walk.units[label] or walk.unit
  return unit and " " .. unit or ""
end

-- Number of the next bytes that are this many characters of UTF-8.
local function utf8_bytes(text, count)
  local at = 1
  for _ = 1, count do
    local lead = text:byte(at) or 0
    at = at + (lead < 0x80 and 1 or lead < 0xe0 and 2 or lead < 0xf0 and 3 or 4)
  end
  return at - 1
end

local legacy_value

local legacy_kinds = {}

function legacy_kinds.boolean(walk, tree, shape, label)
  local value, at, size = walk.reader:number("uint8")
  if value == nil then return fail(walk, tree, label, at) end
  local item = put_value(walk, tree, at, size, "cola.boolean", value, label, value == 1 and "true" or value == 0 and "false" or whole(value))
  if value > 1 then complain(item, "bad_value", "0 or 1 is expected") end
  return true
end

function legacy_kinds.integer(walk, tree, shape, label)
  local value, at, size = walk.reader:number(shape.format)
  if value == nil then return fail(walk, tree, label, at) end
  local name = shape.names and shape.names[value]
  local shown = whole(value) .. unit_of(walk, label) .. (name and " (" .. name .. ")" or "")
  local item = put_value(walk, tree, at, size, "cola.integer", value, label, shown)
  if shape.minimum and (value < shape.minimum or value > shape.maximum) then
    complain(item, "out_of_range", whole(shape.minimum) .. " to " .. whole(shape.maximum) .. " is expected")
  elseif shape.closed and name == nil then
    complain(item, "out_of_range", "No value of this enumeration")
  end
  return true
end

function legacy_kinds.float(walk, tree, shape, label)
  local value, at, size = walk.reader:number("f32")
  if value == nil then return fail(walk, tree, label, at) end
  put_value(walk, tree, at, size, "cola.float", value, label, string.format("%.7g", value) .. unit_of(walk, label))
  return true
end

function legacy_kinds.string(walk, tree, shape, label)
  local count = shape.bytes
  if shape.characters then
    count = utf8_bytes(walk.reader:peek(4 * shape.characters), shape.characters)
  elseif count == nil then
    local counted_at
    count, counted_at = walk.reader:number("uint16")
    if count == nil then return fail(walk, tree, label, counted_at) end
  end
  local text, at, size = walk.reader:bytes(count)
  if text == nil then return fail(walk, tree, label, at) end
  if shape.bytes then
    while text:byte(-1) == 0 do text = text:sub(1, -2) end
  end
  put_value(walk, tree, at, size, "cola.text", printable(text, 1000), label, '"' .. printable(text, 200) .. '"')
  return true
end

function legacy_kinds.address(walk, tree, shape, label)
  local parts, from, behind = {}, nil, nil
  for index = 1, shape.length do
    local value, at, size = walk.reader:number("uint8")
    if value == nil then return fail(walk, tree, label, at) end
    parts[index] = string.format(shape.length == 4 and "%.0f" or "%02x", value)
    from, behind = from or at, at + size
  end
  local text = table.concat(parts, shape.length == 4 and "." or ":")
  put_value(walk, tree, from, behind - from, "cola.address", text, label, text)
  return true
end

function legacy_kinds.array(walk, tree, shape, label, depth)
  local count = shape.count
  if shape.isCounted then
    local at, size
    count, at, size = walk.reader:number("uint16")
    if count == nil then return fail(walk, tree, label, at) end
    put_text(tree, walk.tvb:range(at, size), label .. ": " .. counted(count, "item", "items"))
    if count < shape.minimum or count > shape.maximum then
      complain(tree, "out_of_range", label .. ": " .. whole(shape.minimum) .. " to " .. whole(shape.maximum) .. " items are expected")
    end
  end
  for index = 0, count - 1 do
    if shape.isLeading and index >= shape.minimum and walk.reader:left() == 0 then break end
    local into = index < shown_at_most() and tree or nowhere
    if not legacy_value(walk, into, shape.of, label .. "[" .. whole(index) .. "]", depth + 1) then
      if into == nowhere then complain(tree, "bad_value", label .. ": an item is expected, got the end") end
      return nil
    end
  end
  return true
end

function legacy_kinds.struct(walk, tree, shape, label, depth)
  local node = tree
  if depth > 0 then
    local at = math.min(walk.reader:offset(), walk.tvb:len() - 1)
    node = put_text(tree, walk.tvb:range(at), label)
  end
  local from = walk.reader:offset()
  for _, member in ipairs(shape.members) do
    if member.optional and walk.reader:left() == 0 then break end
    if not legacy_value(walk, node, member.type, member.name, depth + 1) then return nil end
  end
  if depth > 0 and node ~= nowhere then node:set_len(math.max(0, walk.reader:offset() - from)) end
  return true
end

function legacy_value(walk, tree, index, label, depth)
  local shape = data.types[index]
  return legacy_kinds[shape.kind](walk, tree, shape, label, depth)
end

local function legacy_error(walk, tree)
  local reader = walk.reader
  if not reader.text and reader:left() == 3 then reader:bytes(1) end
  local code, at, size = reader:number("uint16")
  if code == nil then
    complain(tree, "bad_value", "The code of an error is expected, got " .. tostring(at))
    return "error"
  end
  local item = put(tree, "cola.error", walk.tvb:range(at, size), code)
  local name = data.legacyErrors[code] or "unknown code"
  complain(item, "refused", "Error " .. string.format("%X", code) .. ": " .. name)
  return string.format("%X", code) .. " " .. name
end

-- Shows the values behind the name. Returns the text for the list of packets.
local function legacy_values(walk, tree, command, name)
  if name == data.lmdName and (command == "sRA" or command == "sSN") then return put_lmd(walk, tree) end
  local known = data.names[name]
  if known == nil then
    complain(tree, "unknown_name", "No variable, method or event of this name")
    return ""
  end
  walk.unit, walk.units, walk.isSecret = known.unit, known.units, known.secret
  if known.text then tree:append_text(" (" .. known.text .. ")") end
  local index
  if command == "sRA" or command == "sSN" then index = known.value
  elseif command == "sWN" then index = known.written
  elseif command == "sMN" then index = known.request
  elseif command == "sAN" then index = known.response
  elseif command == "sEN" or command == "sEA" then index = data.switch end
  local left = walk.reader:left()
  local mayBeBare = left == 0 and (command == "sMN" or command == "sAN" or command == "sEN")
  if index and not mayBeBare then legacy_value(walk, tree, index, name, 0) end
  left = walk.reader:left()
  if left > 0 then
    local at = walk.reader:offset()
    complain(put_text(tree, walk.tvb:range(at, walk.stop - at), counted(walk.stop - at, "byte", "bytes") .. " behind the values"), "left_over", "The values end before the telegram")
  end
  return table.concat(walk.summary, ", ")
end

-- Dissects a payload.
local function legacy_payload(tvb, tree, from, stop, isBinary)
  if stop - from < 3 then
    complain(tree, "cut_off", "A command of three letters is expected")
    return "cut off"
  end
  local payload = tvb:raw(from, stop - from)
  local command = payload:sub(1, 3)
  local meaning = data.commands[command]
  local item = put_read(tree, "cola.command", tvb:range(from, 3))
  if meaning == nil then
    complain(item, "unknown_name", "No command of the legacy protocol")
    return printable(payload, 60)
  end
  item:append_text(" (" .. meaning .. ")")
  local walk = { tvb = tvb, summary = {}, stop = stop }
  if command == "sFA" then
    walk.reader = reader_of(tvb, from + 3, stop, isBinary)
    return command .. " " .. legacy_error(walk, tree)
  end
  local first, last = payload:find("[^ ]+", 4)
  if first == nil then
    complain(tree, "cut_off", "A name is expected")
    return command
  end
  local name = payload:sub(first, last)
  local named = put_read(tree, "cola.name", tvb:range(from + first - 1, last - first + 1))
  local behind = math.min(from + last + 1, stop)
  walk.reader = reader_of(tvb, behind, stop, isBinary)
  local values = data.byIndex[command] and "" or legacy_values(walk, named == nowhere and tree or named, command, name)
  return printable(command .. " " .. name .. (values == "" and "" or " " .. values), 200)
end

local function cola_a(tvb, tree)
  local stop = tvb:len()
  put_read(tree, "cola.start", tvb:range(0, 1))
  if tvb:range(stop - 1, 1):uint() == data.textEnd and stop > 1 then
    stop = stop - 1
  else
    complain(tree, "cut_off", "The byte 03 is expected at the end")
  end
  local info = legacy_payload(tvb, tree, 1, stop, false)
  return info
end

local function cola_b(tvb, tree)
  local values, length = {}, tvb:len()
  local at = put_layout(tvb, tree, 0, data.layouts.cola_frame, false, values)
  if at == nil then return "cut off" end
  local stop = at + values.payload_bytes
  if stop + 1 > length then
    complain(tree, "wrong_length", "A payload of " .. whole(values.payload_bytes) .. " bytes does not fit into " .. whole(length) .. " bytes")
    return legacy_payload(tvb, tree, at, math.min(stop, length), true) .. " [wrong length]"
  end
  local info = legacy_payload(tvb, tree, at, stop, true)
  local range = tvb:range(stop, 1)
  local item = put_read(tree, "cola.checksum", range)
  if prefs.checksums then
    local computed = values.payload_bytes > 0 and xor8(tvb:raw(at, values.payload_bytes)) or 0
    if computed ~= range:uint() then
      complain(item, "wrong_checksum", string.format("Wrong XOR: expected 0x%02x", computed))
      info = info .. " [wrong XOR]"
    end
  end
  note_rest(tvb, tree, stop + 1)
  return info
end
`;
