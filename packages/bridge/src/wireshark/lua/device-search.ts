/** Requests and responses of the device search. */
export const deviceSearch = `
local function search_failed(tree, label, at)
  complain(tree, "wrong_length", label .. " is expected, got " .. tostring(at))
  return nil
end

local function search_text(walk, tree, part)
  local count, at = walk.reader:number("u16")
  if count == nil then return search_failed(tree, part.label, at) end
  local text, from, size = walk.reader:bytes(count)
  if text == nil then return search_failed(tree, part.label, from) end
  local range = walk.tvb:range(at, 2 + size)
  put(tree, part.field, range, printable(text, 1000))
  walk.texts[part.key] = printable(text, 60)
  return true
end

local function tag_value(form, text)
  if form == "ipv4" and #text == 4 then return string.format("%d.%d.%d.%d", text:byte(1, 4)) end
  if form == "mac" and #text == 6 then return string.format("%02x:%02x:%02x:%02x:%02x:%02x", text:byte(1, 6)) end
  if form == "number" and #text <= 4 then
    local value = 0
    for at = 1, #text do value = value * 256 + text:byte(at) end
    return whole(value)
  end
  local digits = {}
  for at = 1, math.min(#text, 32) do digits[at] = string.format("%02x", text:byte(at)) end
  return table.concat(digits) .. (#text > 32 and "..." or "")
end

local function search_tags(walk, tree, part)
  local count, at = walk.reader:number("u16")
  if count == nil then return search_failed(tree, part.label, at) end
  for _ = 1, count do
    local from = walk.reader.at
    local name, why = walk.reader:characters(4)
    if name == nil then return search_failed(tree, "A tag", why) end
    local size
    size, why = walk.reader:number("u16")
    if size == nil then return search_failed(tree, "The size of a tag", why) end
    local text
    text, why = walk.reader:bytes(size)
    if text == nil then return search_failed(tree, "A tag of " .. counted(size, "byte", "bytes"), why) end
    local known = data.tags[name]
    local label = known and known.label or "unknown tag"
    local shown = printable(name, 4) .. " " .. tag_value(known and known.form, text)
    local item = put(tree, "search.tag", walk.tvb:range(from, 6 + size), shown)
    item:append_text(" (" .. label .. ")")
  end
  return true
end

local search_parts = { text = search_text, tags = search_tags }

function search_parts.fields(walk, tree, part)
  local values = {}
  local behind = put_layout(walk.tvb, tree, walk.reader.at, part.layout, false, values)
  if behind == nil then return nil end
  walk.reader.at = behind
  return true
end

function search_parts.interfaces(walk, tree, part)
  local count, at = walk.reader:number("u16")
  if count == nil then return search_failed(tree, part.label, at) end
  for _ = 1, count do
    local kind, why = walk.reader:number("u16")
    if kind == nil then return search_failed(tree, "An interface", why) end
    if not search_text(walk, tree, part) then return nil end
  end
  return true
end

search_parts["tagged interfaces"] = function(walk, tree, part)
  local count, at = walk.reader:number("u16")
  if count == nil then return search_failed(tree, part.label, at) end
  for _ = 1, count do
    local protocol, why = walk.reader:number("u8")
    if protocol == nil then return search_failed(tree, "An interface", why) end
    if not search_tags(walk, tree, part) then return nil end
  end
  return true
end

local function search_xml(tvb, tree, at)
  local text = tvb:raw(at)
  put(tree, "search.xml", tvb:range(at), printable(text, 4000))
  local shown = 0
  for from, element, to in text:gmatch("()<Item%s([^<>]*)>()") do
    local key, value = element:match('key="([^"]*)"'), element:match('value="([^"]*)"')
    if key and value then
      put(tree, "search.item", tvb:range(at + from - 1, to - from), printable(key .. " " .. value, 200))
      shown = shown + 1
    end
    if shown >= 100 then break end
  end
end

local function search_tagged(tvb, tree, at)
  local walk = { tvb = tvb, reader = reader_of(tvb, at, tvb:len(), true), texts = {} }
  for _, part in ipairs(data.taggedParts) do
    if not search_parts[part.kind](walk, tree, part) then return nil end
  end
  note_rest(tvb, tree, walk.reader.at)
  return walk.texts.name
end

local function device_search(tvb, tree)
  local values = {}
  local at = put_layout(tvb, tree, 0, data.layouts.search, false, values)
  if at == nil then return "cut off" end
  local kind = data.searchTelegrams[values.telegram]
  local info = kind and kind.text or string.format("unknown telegram 0x%02x", values.telegram)
  local bytes = tvb:len() - at
  if bytes ~= values.body_bytes and not (bytes > 0 and tvb:range(at, 1):uint() == 0x3c) then
    complain(tree, "wrong_length", "The body states " .. counted(values.body_bytes, "byte", "bytes") .. " and has " .. whole(bytes))
  end
  local mac = tostring(tvb:range(4, 6):ether())
  if bytes <= 0 then return info .. ", " .. mac end
  if tvb:range(at, 1):uint() == 0x3c then
    search_xml(tvb, tree, at)
  elseif kind and kind.key == "taggedResponse" then
    local name = search_tagged(tvb, tree, at)
    if name then info = info .. ", " .. name end
  elseif kind and kind.key == "search" and bytes == 8 then
    put_read(tree, "search.tool_address", tvb:range(at, 4))
    put_read(tree, "search.tool_mask", tvb:range(at + 4, 4))
  elseif kind and kind.key == "change" and bytes == 13 then
    put_read(tree, "search.address", tvb:range(at, 4))
    put_read(tree, "search.mask", tvb:range(at + 4, 4))
    put_read(tree, "search.gateway", tvb:range(at + 8, 4))
    put_read(tree, "search.dhcp", tvb:range(at + 12, 1))
  end
  return info .. ", " .. mac
end
`;
