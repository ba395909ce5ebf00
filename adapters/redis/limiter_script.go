package redis

import goredis "github.com/redis/go-redis/v9"

// state reads the key. It holds the time at which the bucket will be full
// again, the time of Redis when that was written, the name of the queue of
// turns (the time when it began), returned turns, and the number of turns
// returned by each limiter. A turn is named by the time at which the bucket is
// full after it. If the clock was set back, these times are set back too. A key
// of another form counts as an empty bucket.
const state = `
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local field, asked, known = 'back ' .. ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local was = redis.pcall('HMGET', KEYS[1], 'full', 'seen', 'queue', 'free', field)
local full, seen, queue, back = tonumber(was[1] or nil), tonumber(was[2] or nil), tonumber(was[3] or nil), tonumber(was[5] or nil)
local behind = full and seen and queue and math.max(0, seen - now) or 0
local free = {}
if full and seen and queue then
  full = full - behind
  for turn in string.gmatch(was[4] or '', '%d+') do table.insert(free, tonumber(turn) - behind) end
end
if not (full and seen and queue) or full <= now then full, queue, back, free = 0, nil, nil, {} end
back = back or 0
local function returned()
  local number = known
  for turn in string.gmatch(ARGV[6], '%d+') do
    number = number + 1
    if queue == asked and number > back then
      table.insert(free, tonumber(turn) - behind)
      back = number
    end
  end
  table.sort(free)
  while free[1] and free[1] - interval * burst < now do table.remove(free, 1) end
  while free[1] and free[#free] >= full do
    table.remove(free)
    full = full - interval
  end
end
local function keep()
  if not queue or full <= now then redis.call('DEL', KEYS[1]) end
  if full <= now then queue = nil return end
  queue = queue or now
  for i, turn in ipairs(free) do free[i] = string.format('%.0f', turn) end
  redis.call('HSET', KEYS[1], 'full', string.format('%.0f', full), 'seen', string.format('%.0f', now),
    'queue', string.format('%.0f', queue), 'free', table.concat(free, ' '))
  if back > 0 then redis.call('HSET', KEYS[1], field, back) end
  redis.call('PEXPIRE', KEYS[1], math.ceil((full - now) / 1000))
end
local function answer(wait, turn) return {wait, now, queue or 0, back, turn or 0} end
`

// take implements the generic cell rate algorithm. It first grants returned
// turns. It returns the wait for the turn in microseconds, or a negative value
// without taking a turn: -1 if the wait is longer than the caller can wait, -2
// if the time for the response is over, because Redis may have hung, and -3 if
// the queue is the known one and not worth so long a wait. The other results
// are the time of Redis, the state of the queue, and the turn. A process that
// has worked without Redis sends the turns that it used meanwhile, and after a
// restart of Redis, how long its turns of the former queue last.
var take = goredis.NewScript(state + `
local patience, used, last, elsewhere, worth = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11])
if last > 0 and now > last then return answer(-2) end
returned()
if queue ~= asked then used = math.max(used, elsewhere) end
local turn = math.max(now, full, now + used) + interval
if used == 0 and free[1] then turn = free[1] end
local wait = math.max(0, turn - interval * burst - now)
if worth >= 0 and wait > worth and queue == asked then keep() return answer(-3) end
if patience >= 0 and wait > patience then keep() return answer(-1) end
if turn == free[1] then table.remove(free, 1) else full = turn end
keep()
return answer(wait, turn)`)

// Results of take: the time for the response is over, and the queue is in
// doubt.
const (
	late = -2
	old  = -3
)

var returnTurns = goredis.NewScript(state + `
returned()
keep()
return answer(0)`)
