/** Fields, expert infos, preferences, and the limits of what one packet may put into the tree. */
export const items = String.raw`
local azimuth = Proto("azimuth", "2D laser scanner")

local fields, kinds, registered = {}, {}, {}
for _, row in ipairs(data.fields) do
  local name, kind, label, values, display, text = row[1], row[2], row[3], row[4] or nil, row[5], row[6]
  local shown = display and base[display] or kind:find("INT") and base.DEC or base.NONE
  local field = ProtoField.new(label, "azimuth." .. name, ftypes[kind], values, shown, nil, text)
  fields[name] = field
  kinds[name] = kind
  registered[#registered + 1] = field
end
azimuth.fields = registered

local experts, severities = {}, { error = expert.severity.ERROR, warn = expert.severity.WARN, note = expert.severity.NOTE }
local groups = { checksum = expert.group.CHECKSUM, malformed = expert.group.MALFORMED, protocol = expert.group.PROTOCOL, response = expert.group.RESPONSE_CODE }
do
  local all = {}
  for _, row in ipairs(data.experts) do
    local info = ProtoExpert.new("azimuth." .. row[1], row[4], groups[row[2]], severities[row[3]])
    experts[row[1]] = info
    all[#all + 1] = info
  end
  azimuth.experts = all
end

local prefs = azimuth.prefs
prefs.udp_ports = Pref.range("UDP ports", data.ports.udp, "Ports of data streams and of the device search", 65535)
prefs.tcp_ports = Pref.range("TCP ports", data.ports.tcp, "Ports of data streams and of the legacy interfaces", 65535)
prefs.checksums = Pref.bool("Check checksums", true, "Compute the CRC or the XOR of each telegram and compare")
prefs.beams = Pref.uint("Beams and items shown", 32, "Largest number of beams of a segment, of values of a channel and of items of a list in the tree; filters find only these")

-- Items that this packet may still put into the tree. Hostile packets could fill the memory otherwise.
local mostItems = 20000
local room = mostItems

-- Stands for an item that is not shown: all its methods do nothing.
local nowhere = {}
setmetatable(nowhere, { __index = function() return function() return nowhere end end })

local function hasRoom(tree)
  if tree == nowhere or room <= 0 then return false end
  room = room - 1
  return true
end

-- The least and the largest value of fields. Newer versions refuse numbers that do not fit, instead of cutting them off.
local limits = {
  UINT8 = { 0, 255 }, UINT16 = { 0, 65535 }, UINT32 = { 0, 4294967295 }, UINT64 = { 0, 1.8e19 },
  INT16 = { -32768, 32767 }, INT32 = { -2147483648, 2147483647 }, INT64 = { -9.2e18, 9.2e18 },
}

-- Adds a field whose value is given.
local function put(tree, name, range, value)
  if not hasRoom(tree) then return nowhere end
  local kind = kinds[name]
  local limit = limits[kind]
  if limit then value = math.max(limit[1], math.min(value, limit[2])) end
  if kind == "UINT64" then value = UInt64.new(value)
  elseif kind == "INT64" then value = Int64.new(value) end
  return tree:add(fields[name], range, value)
end

-- Adds a field that Wireshark reads itself.
local function put_read(tree, name, range, little)
  if not hasRoom(tree) then return nowhere end
  if little then return tree:add_le(fields[name], range) end
  return tree:add(fields[name], range)
end

-- Returns true if one of these fields is shown, or a filter names it. Lists of packets and loading need no beams.
local function is_wanted(tree, ...)
  if tree == nowhere then return false end
  for _, name in ipairs({ ... }) do
    if tree:referenced(fields[name]) then return true end
  end
  return false
end

local function put_text(tree, range, text)
  if not hasRoom(tree) then return nowhere end
  return tree:add(range, text)
end

local function complain(item, name, text)
  if item ~= nowhere then item:add_proto_expert_info(experts[name], text) end
end

local function shown_at_most()
  return math.min(prefs.beams, mostItems)
end

-- Returns text without control characters and without bytes that are not ASCII.
local function printable(text, most)
  if #text > most then text = text:sub(1, most) .. "..." end
  return (text:gsub("[^\32-\126]", "?"))
end

local function whole(number)
  return string.format("%.0f", number)
end

local function counted(number, one, many)
  return whole(number) .. " " .. (number == 1 and one or many)
end

-- Appends the unit, and the form of an angle or of a time that people read.
local function annotate(item, unit, value)
  if unit == nil then return end
  item:append_text(" " .. unit)
  if unit == "rad" then
    item:append_text(string.format(" (%.3f\194\176)", value * 180 / math.pi))
  elseif unit == "\194\181s" and value >= 1e15 and value < 4e15 then
    local seconds = math.floor(value / 1e6)
    item:append_text(os.date("! (%Y-%m-%d %H:%M:%S", seconds) .. string.format(".%06.0f UTC)", value - seconds * 1e6))
  end
end
`;
