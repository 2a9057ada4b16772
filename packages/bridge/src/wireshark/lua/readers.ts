/** Readers of values of the legacy protocol, as text and in binary. Both have the same methods. */
export const readers = `
local bits_of = { uint8 = 8, uint16 = 16, uint32 = 32, uint64 = 64, int8 = 8, int16 = 16, int32 = 32, u8 = 8, u16 = 16, u32 = 32, i16 = 16, i32 = 32 }

local function is_signed(kind)
  return kind:sub(1, 1) == "i"
end

-- Returns the least and the largest number of a kind.
local function limits_of(kind)
  local bits = bits_of[kind]
  if is_signed(kind) then return -2 ^ (bits - 1), 2 ^ (bits - 1) - 1 end
  return 0, 2 ^ bits - 1
end

-- Returns the number of the 32 bits of an IEEE 754 word.
local function float_of(word)
  local sign = word >= 2147483648 and -1 or 1
  local exponent = math.floor(word / 8388608) % 256
  local fraction = word % 8388608
  if exponent == 255 then return fraction == 0 and sign * math.huge or 0 / 0 end
  if exponent == 0 then return sign * fraction * 2 ^ -149 end
  return sign * (fraction + 8388608) * 2.0 ^ (exponent - 150)
end

local function hex_of(digits)
  local value = 0.0
  for at = 1, #digits do value = value * 16 + tonumber(digits:sub(at, at), 16) end
  return value
end

-- Methods return a value, its offset and its bytes; or nothing and the reason.
local TextReader = {}
TextReader.__index = TextReader

function TextReader:token()
  local from, to = self.text:find("[^ ]+", self.at)
  if from == nil then return nil, "the end" end
  self.at = to + 1
  return self.text:sub(from, to), self.start + from - 1, to - from + 1
end

function TextReader:number(kind)
  local token, at, size = self:token()
  if token == nil then return nil, at end
  if kind == "f32" then
    if token:match("^%x%x%x%x%x%x%x%x$") then return float_of(hex_of(token)), at, size end
    local decimal = token:match("^[+-]?%d+%.?%d*$") and #token <= 40 and tonumber(token)
    if decimal then return decimal, at, size end
    return nil, printable(token, 20)
  end
  local bits = bits_of[kind]
  if #token <= 21 and token:match("^[+-]%d+$") then
    local value, least, largest = tonumber(token) + 0.0, limits_of(kind)
    -- A length below 0 would go back, and without an end.
    if value >= least and value <= largest then return value, at, size end
    return nil, printable(token, 20)
  end
  if #token > 40 or not token:match("^%x+$") then return nil, printable(token, 20) end
  local value = hex_of(token)
  -- Negative numbers of 16 bits may have eight digits.
  if value >= 2 ^ bits and not (kind == "i16" and value >= 0xffff8000 and value < 2 ^ 32) then return nil, printable(token, 20) end
  if is_signed(kind) then
    if value >= 2 ^ bits then return value - 2 ^ 32, at, size end
    if value >= 2 ^ (bits - 1) then value = value - 2 ^ bits end
  end
  return value, at, size
end

function TextReader:characters(count)
  local token, at, size = self:token()
  if token == nil then return nil, at end
  if size ~= count then return nil, printable(token, 20) end
  return token, at, size
end

function TextReader:bytes(count)
  if count > 0 and self.text:sub(self.at, self.at) == " " then self.at = self.at + 1 end
  local from = self.at
  if from + count - 1 > #self.text then return nil, "the end" end
  self.at = from + count
  return self.text:sub(from, from + count - 1), self.start + from - 1, count
end

-- Returns up to this many of the next bytes, and does not go on.
function TextReader:peek(count)
  local from = self.at + (self.text:sub(self.at, self.at) == " " and 1 or 0)
  return self.text:sub(from, from + count - 1)
end

-- Number of the bytes that are left, without blanks in front of them. Each value asks for it: it copies no text.
function TextReader:left()
  local from = self.text:find("[^ ]", self.at)
  return from and #self.text - from + 1 or 0
end

function TextReader:offset()
  return self.start + self.at - 1
end

local BinaryReader = {}
BinaryReader.__index = BinaryReader

local widths = { uint8 = 1, uint16 = 2, uint32 = 4, uint64 = 8, int8 = 1, int16 = 2, int32 = 4, u8 = 1, u16 = 2, u32 = 4, i16 = 2, i32 = 4, f32 = 4 }

function BinaryReader:number(kind)
  local size = widths[kind]
  local at = self.at
  if at + size > self.stop then return nil, "the end" end
  self.at = at + size
  local range = self.tvb:range(at, size)
  if kind == "f32" then return range:float(), at, size end
  if kind == "uint64" then return range:uint64():tonumber(), at, size end
  if is_signed(kind) then return range:int(), at, size end
  return range:uint(), at, size
end

function BinaryReader:bytes(count)
  local at = self.at
  if at + count > self.stop then return nil, "the end" end
  self.at = at + count
  return count == 0 and "" or self.tvb:raw(at, count), at, count
end

BinaryReader.characters = BinaryReader.bytes

function BinaryReader:peek(count)
  count = math.min(count, self:left())
  return count > 0 and self.tvb:raw(self.at, count) or ""
end

function BinaryReader:left()
  return self.stop - self.at
end

function BinaryReader:offset()
  return self.at
end

local function reader_of(tvb, from, stop, isBinary)
  if isBinary then return setmetatable({ tvb = tvb, at = from, stop = stop }, BinaryReader) end
  return setmetatable({ text = from < stop and tvb:raw(from, stop - from) or "", start = from, at = 1 }, TextReader)
end
`;
