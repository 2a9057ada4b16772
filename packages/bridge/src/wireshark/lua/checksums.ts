/** The two checksums, in every version of Lua that Wireshark has had. */
export const checksums = `
local crc32, xor8
do
  local native = (loadstring or load)([[
    return function(table, text, crc)
      for at = 1, #text do crc = table[(crc ~ text:byte(at)) & 255] ~ (crc >> 8) end
      return crc
    end, function(a, b) return a ~ b end
  ]])
  local library = bit32 or bit
  local step, bxor
  if native then
    step, bxor = native()
  else
    local band, rshift = library.band, library.rshift
    bxor = library.bxor
    step = function(table, text, crc)
      local byte = string.byte
      for at = 1, #text do crc = bxor(table[band(bxor(crc, byte(text, at)), 255)], rshift(crc, 8)) end
      return crc
    end
  end

  local table
  local function make_table()
    local made = {}
    for byte = 0, 255 do
      local crc = byte
      for _ = 1, 8 do
        local half = math.floor(crc / 2)
        crc = crc % 2 == 1 and bxor(half, 0xedb88320) % 4294967296 or half
      end
      made[byte] = crc
    end
    return made
  end

  crc32 = function(text)
    table = table or make_table()
    return bxor(step(table, text, 0xffffffff), 0xffffffff) % 4294967296
  end

  xor8 = function(text)
    local xor = 0
    for at = 1, #text do xor = bxor(xor, text:byte(at)) end
    return xor
  end
end

-- Adds the CRC at an offset and compares it with that of the bytes from another offset up to it.
local function put_crc(tvb, tree, name, from, at)
  local left = tvb:len() - at
  if left < 4 then
    complain(tree, "cut_off", "The CRC is expected at byte " .. whole(at) .. "; the telegram ends at byte " .. whole(tvb:len()))
    return false
  end
  local range = tvb:range(at, 4)
  local item = put_read(tree, name, range, true)
  if not prefs.checksums then return true end
  local computed = crc32(at > from and tvb:raw(from, at - from) or "")
  if computed == range:le_uint() then return true end
  complain(item, "wrong_checksum", string.format("Wrong CRC: expected 0x%08x", computed))
  return false
end

-- Notes bytes behind the end of a telegram.
local function note_rest(tvb, tree, at)
  local left = tvb:len() - at
  if left <= 0 then return end
  complain(put_text(tree, tvb:range(at), counted(left, "byte", "bytes") .. " behind the telegram"), "left_over", "The telegram ends before its packet")
end
`;
