/** Reads numbers by the declared layouts. */
export const layouts = `
local sizes = { u8 = 1, u16 = 2, u32 = 4, u64 = 8, i16 = 2, i32 = 4, f32 = 4 }

local function number_of(range, kind, little)
  if kind == "f32" then return little and range:le_float() or range:float() end
  if kind == "u64" then
    local value = little and range:le_uint64() or range:uint64()
    return value:tonumber()
  end
  if kind == "i16" or kind == "i32" then return little and range:le_int() or range:int() end
  return little and range:le_uint() or range:uint()
end

local function bit_names(bits, value)
  local names = {}
  for _, row in ipairs(bits) do
    if math.floor(value / row[1]) % 2 == 1 then names[#names + 1] = row[2] end
  end
  return #names == 0 and "none" or table.concat(names, ", ")
end

-- Adds the fields of a layout. Returns the offset behind them, or nothing if the telegram ends before.
local function put_layout(tvb, tree, at, layout, little, values)
  for _, field in ipairs(layout) do
    local size = field.size
    if at + size > tvb:len() then
      complain(tree, "cut_off", field.label .. " is expected at byte " .. whole(at) .. "; the telegram ends at byte " .. whole(tvb:len()))
      return nil
    end
    local range = tvb:range(at, size)
    local item = put_read(tree, field.name, range, little)
    if sizes[field.kind] then
      local value = number_of(range, field.kind, little)
      values[field.key] = value
      annotate(item, field.unit, value)
      if field.bits then item:append_text(" (" .. bit_names(field.bits, value) .. ")") end
    end
    at = at + size
  end
  return at
end
`;
