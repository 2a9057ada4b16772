/** Telegrams of Compact: scans, IMU, encoder. */
export const compact = String.raw`
-- Adds the fields of rows: of each field the values of all rows.
local function put_rows(tvb, tree, at, rows)
  local first = {}
  for _, field in ipairs(data.layouts.row) do
    for row = 0, rows - 1 do
      if row >= shown_at_most() and row > 0 then break end
      local range = tvb:range(at + field.size * row, field.size)
      local item = put_read(tree, field.name, range, true)
      local value = number_of(range, field.kind, true)
      annotate(item, field.unit, value)
      if rows > 1 then item:append_text(" (row " .. whole(row) .. ")") end
      if row == 0 then first[field.key] = value end
    end
    at = at + field.size * rows
  end
  return at, first
end

-- Adds one beam. Returns the offset behind it.
local function put_beam(tvb, tree, at, beam, shape)
  local node = put_text(tree, tvb:range(at, shape.beam), "Beam " .. whole(beam))
  local distances = {}
  for echo = 1, shape.echoes do
    local range = tvb:range(at, 2)
    local distance = range:le_uint() * shape.scale
    annotate(put(node, "compact.distance", range, distance), "mm", distance)
    if echo <= 4 then distances[echo] = string.format("%.6g mm", distance) end
    at = at + 2
    if shape.hasRssi then
      put_read(node, "compact.rssi", tvb:range(at, 2), true)
      at = at + 2
    end
    if room <= 0 then
      at = at + (shape.echoes - echo) * shape.echo
      break
    end
  end
  node:append_text(": " .. table.concat(distances, ", "))
  local function put_properties()
    if not shape.hasProperties then return end
    local range = tvb:range(at, 1)
    put_read(node, "compact.properties", range, true):append_text(" (" .. bit_names(data.beamBits, range:uint()) .. ")")
    at = at + 1
  end
  local function put_azimuth()
    if not shape.hasAzimuth then return end
    local range = tvb:range(at, 2)
    local azimuth = (range:le_uint() - data.azimuthZero) / data.azimuthPerRad
    annotate(put(node, "compact.azimuth", range, azimuth), "rad", azimuth)
    node:append_text(string.format(", %.2f\194\176", azimuth * 180 / math.pi))
    at = at + 2
  end
  if shape.version == 3 then
    put_azimuth()
    put_properties()
  else
    put_properties()
    put_azimuth()
  end
  return at
end

local function put_beams(tvb, tree, at, beams, shape)
  local range = tvb:range(at, beams * shape.beam)
  local node = put_text(tree, range, counted(beams, "beam", "beams") .. " of " .. counted(shape.beam, "byte", "bytes"))
  if not is_wanted(node, "compact.distance", "compact.rssi", "compact.properties", "compact.azimuth") then return end
  local shown = math.min(beams, shown_at_most())
  local next = at
  for beam = 0, shown - 1 do
    if room <= 0 then break end
    next = put_beam(tvb, node, next, beam, shape)
  end
  if beams > shown then node:append_text(" (the first " .. whole(shown) .. " are shown)") end
end

-- Adds one module of a scan. Returns the offset behind it and the size of the next one, or nothing if it cannot be read.
local function put_module(tvb, tree, start, version, declared, index, values)
  local length = tvb:len()
  local node = put_text(tree, tvb:range(start), "Module " .. whole(index))
  local at = put_layout(tvb, node, start, data.layouts.module, true, values)
  if at == nil then return nil end
  local rows, columns, echoes = values.rows, values.columns, values.echoes
  -- Each of them needs a byte or more, if there is a beam.
  if rows > length or (rows > 0 and columns > 0 and (columns > length or echoes > length)) then
    complain(node, "wrong_length", "The module is larger than the telegram")
    return nil
  end
  local rowBytes = 0
  for _, field in ipairs(data.layouts.row) do rowBytes = rowBytes + field.size end
  if at + rowBytes * rows > length then
    complain(node, "wrong_length", "The fields of " .. counted(rows, "row", "rows") .. " do not fit into the telegram")
    return nil
  end
  local first
  at, first = put_rows(tvb, node, at, rows)
  if index == 1 then values.first = first end
  values.scale = 1
  if version ~= 3 then
    at = put_layout(tvb, node, at, data.layouts.scale, true, values)
    if at == nil then return nil end
  end
  at = put_layout(tvb, node, at, data.layouts.module_end, true, values)
  if at == nil then return nil end
  local echo = { values.echo_content % 2 == 1, math.floor(values.echo_content / 2) % 2 == 1 }
  local beam = { values.beam_content % 2 == 1, math.floor(values.beam_content / 2) % 2 == 1 }
  if not echo[1] then
    complain(node, "bad_value", "An echo is expected to have a distance")
    return nil
  end
  local shape = { echoes = echoes, hasRssi = echo[2], hasProperties = beam[1], hasAzimuth = beam[2], scale = values.scale, version = version }
  shape.echo = echo[2] and 4 or 2
  shape.beam = echoes * shape.echo + (beam[1] and 1 or 0) + (beam[2] and 2 or 0)
  local beams = rows * columns
  if beams > 0 and shape.beam == 0 then
    complain(node, "bad_value", "A beam is expected to have one byte or more")
    return nil
  end
  local bytes = beams == 0 and 0 or beams * shape.beam
  if at + bytes > length then
    complain(node, "wrong_length", counted(beams, "beam", "beams") .. " of " .. counted(shape.beam, "byte", "bytes") .. " do not fit into the telegram")
    return nil
  end
  if bytes > 0 then put_beams(tvb, node, at, beams, shape) end
  at = at + bytes
  node:set_len(at - start)
  if declared ~= at - start then
    complain(node, "wrong_length", "The module states a size of " .. whole(declared) .. " bytes and has " .. whole(at - start))
  end
  return at, values.next_bytes
end

local function compact_scan(tvb, tree)
  local values = {}
  local at = put_layout(tvb, tree, 0, data.layouts.compact_header, true, values)
  if at == nil then return "Scan, cut off" end
  local version = values.version
  if version ~= 3 and version ~= 4 then
    complain(tree, "unknown_version", "Version 3 or 4 is expected, got " .. whole(version))
    return "Scan of version " .. whole(version)
  end
  local following, index, columns, broken = values.payload_bytes, 0, 0, false
  while following ~= 0 do
    index = index + 1
    if at >= tvb:len() then
      complain(tree, "cut_off", "A module is expected at byte " .. whole(at))
      broken = true
      break
    end
    local behind
    behind, following = put_module(tvb, tree, at, version, following, index, values)
    if behind == nil then
      broken = true
      break
    end
    columns = columns + values.rows * values.columns
    at = behind
  end
  local info = "telegram " .. whole(values.sequence)
  if index == 0 then
    info = "Scan without modules, " .. info
  elseif values.frame_number and values.segment_index then
    info = "Scan " .. whole(values.frame_number) .. ", segment " .. whole(values.segment_index) .. ", "
      .. (broken and "" or counted(columns, "beam", "beams") .. " of up to " .. counted(values.echoes, "echo", "echoes") .. ", ") .. info
  end
  if version ~= 4 then info = info .. ", version " .. whole(version) end
  if broken then return info .. " [wrong length]" end
  if not put_crc(tvb, tree, "compact.crc", 0, at) then return info .. " [wrong CRC]" end
  note_rest(tvb, tree, at + 4)
  return info
end

local function compact_imu(tvb, tree)
  local values = {}
  local length = tvb:len()
  local at = put_layout(tvb, tree, 0, data.layouts.imu_header, true, values)
  if at == nil then return "IMU, cut off" end
  if values.version ~= data.imuVersion then
    complain(tree, "unknown_version", "Version " .. data.imuVersion .. " is expected, got " .. whole(values.version))
    return "IMU of version " .. whole(values.version)
  end
  at = put_layout(tvb, tree, at, data.layouts.imu, true, values)
  if at == nil then return "IMU, cut off" end
  local info = string.format("IMU at %s us, acceleration %.2f %.2f %.2f m/s\194\178", whole(values.time), values.acceleration_x, values.acceleration_y, values.acceleration_z)
  if length ~= at + 4 then
    complain(tree, "wrong_length", whole(at + 4) .. " bytes are expected, got " .. whole(length))
  end
  if not put_crc(tvb, tree, "imu.crc", 0, at) then return info .. " [wrong CRC]" end
  return info
end

local function compact_encoder(tvb, tree)
  local values = {}
  local at = put_layout(tvb, tree, 0, data.layouts.encoder_header, true, values)
  if at == nil then return "Encoder, cut off" end
  if values.version ~= data.encoderVersion then
    complain(tree, "unknown_version", "Version " .. data.encoderVersion .. " is expected, got " .. whole(values.version))
    return "Encoder of version " .. whole(values.version)
  end
  local behind = put_layout(tvb, tree, at, data.layouts.encoder, true, values)
  if behind == nil then return "Encoder, cut off" end
  local info = string.format("Encoder reading %s, %s ticks, %.6g mm/s, telegram %s", whole(values.frame_number), whole(values.ticks), values.speed, whole(values.sequence))
  if values.payload_bytes < behind - at then
    complain(tree, "wrong_length", "A payload of " .. whole(behind - at) .. " bytes is expected, got " .. whole(values.payload_bytes))
    return info .. " [wrong length]"
  end
  at = at + values.payload_bytes
  if not put_crc(tvb, tree, "encoder.crc", 0, at) then return info .. " [wrong CRC]" end
  note_rest(tvb, tree, at + 4)
  return info
end
`;
