/** Scan data of the legacy protocol, as text and in binary. */
export const scanData = String.raw`
-- Adds the fields of a layout. Returns false if one of them cannot be read.
local function lmd_fields(walk, tree, layout, values)
  for _, field in ipairs(layout) do
    local value, at, size
    if field.kind == "characters" then value, at, size = walk.reader:characters(field.size)
    else value, at, size = walk.reader:number(field.kind) end
    if value == nil then
      complain(tree, "bad_value", field.label .. ": a value is expected, got " .. tostring(at))
      return false
    end
    values[field.key] = value
    local range = walk.tvb:range(at, size)
    if field.kind == "characters" then
      put(tree, field.name, range, printable(value, 20))
    else
      local item = put(tree, field.name, range, value)
      if field.unit == "1/10000 \194\176" then item:append_text(string.format(" (%.4f\194\176)", value / 10000))
      elseif field.unit then item:append_text(" " .. field.unit) end
    end
  end
  return true
end

-- Adds the values of a channel, of which the first are shown.
local function lmd_data(walk, node, kind, channel)
  local count, at = walk.reader:number("u16")
  if count == nil then
    complain(node, "bad_value", "The number of values is expected, got " .. tostring(at))
    return false
  end
  local content = channel.content
  local field = content:match("^DIST") and "lmd.distance" or content:match("^RSSI") and "lmd.rssi" or "lmd.value"
  local shown = is_wanted(node, field) and math.min(count, shown_at_most()) or 0
  for index = 0, count - 1 do
    local value, from, size = walk.reader:number(kind)
    if value == nil then
      complain(node, "wrong_length", counted(count, "value", "values") .. " are stated, got " .. whole(index))
      return false
    end
    if index < shown and room > 0 then
      local scaled = value * channel.scale + channel.offset
      local angle = (channel.start_angle + index * channel.angular_step) / 10000
      put(node, field, walk.tvb:range(from, size), scaled):append_text(string.format(" at %.4f\194\176", angle))
    end
  end
  node:append_text(" " .. content .. ", " .. counted(count, "value", "values"))
  if count > shown and shown > 0 then node:append_text(" (the first " .. whole(shown) .. " are shown)") end
  walk.channels[#walk.channels + 1] = content .. " " .. whole(count)
  return true
end

local function lmd_list(walk, tree, part)
  local count, at, size = walk.reader:number("u16")
  if count == nil then
    complain(tree, "bad_value", "The number of " .. part.label .. " is expected, got " .. tostring(at))
    return false
  end
  local list = put(tree, part.field, walk.tvb:range(at, size), count)
  for index = 1, count do
    local from = walk.reader:offset()
    local node = put_text(list, walk.tvb:range(at), "Number " .. whole(index) .. ":")
    local values = {}
    if not lmd_fields(walk, node, part.layout, values) then return false end
    if part.data and not lmd_data(walk, node, part.data, values) then return false end
    if node ~= nowhere then node:set_len(math.max(0, walk.reader:offset() - at)) end
  end
  return true
end

local function lmd_optional(walk, tree, part)
  local flag, at, size = walk.reader:number("u16")
  if flag == nil then
    complain(tree, "bad_value", part.label .. ": 0 or 1 is expected, got " .. tostring(at))
    return false
  end
  local item = put(tree, part.field, walk.tvb:range(at, size), flag)
  if flag == 0 then return true end
  if flag > 1 then
    complain(item, "bad_value", part.label .. ": 0 or 1 is expected, got " .. whole(flag))
    return false
  end
  if part.layout then return lmd_fields(walk, item, part.layout, {}) end
  local count
  count, at = walk.reader:number("u16")
  if count == nil then
    complain(item, "bad_value", part.label .. ": a length is expected, got " .. tostring(at))
    return false
  end
  local text
  text, at = walk.reader:bytes(count)
  if text == nil then
    complain(item, "wrong_length", part.label .. ": " .. counted(count, "byte", "bytes") .. " are stated, got fewer")
    return false
  end
  item:append_text(' "' .. printable(text, 200) .. '"')
  return true
end

local function put_lmd(walk, tree)
  local values = {}
  walk.channels = {}
  if not lmd_fields(walk, tree, data.layouts.lmd_head, values) then return "" end
  for _, part in ipairs(data.lmdParts) do
    local put_part = part.isList and lmd_list or lmd_optional
    if not put_part(walk, tree, part) then return "scan " .. whole(values.scan_counter) .. " [wrong length]" end
  end
  if walk.reader:left() > 0 then complain(tree, "left_over", "The scan ends before the telegram") end
  return "scan " .. whole(values.scan_counter) .. ", telegram " .. whole(values.telegram_counter) .. ": " .. table.concat(walk.channels, ", ", 1, math.min(8, #walk.channels))
end
`;
