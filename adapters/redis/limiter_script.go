package redis

import goredis "github.com/redis/go-redis/v9"

// state reads the key: when the bucket will be full again, the time of Redis
// when that was written, the name of the queue of turns, which is the time of
// Redis when it began, and how many turns of it each limiter has given back. A
// clock that went back since then takes the bucket with it. A key of another
// form is worth no more than an empty bucket.
const state = `
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local field, asked, given = 'back ' .. ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local was = redis.pcall('HMGET', KEYS[1], 'full', 'seen', 'queue', field)
local full, seen, queue, back = tonumber(was[1] or nil), tonumber(was[2] or nil), tonumber(was[3] or nil), tonumber(was[4] or nil)
if full and seen and queue then full = full - math.max(0, seen - now) end
if not (full and seen and queue) or full <= now then full, queue, back = 0, nil, nil end
back = back or 0
local function give()
  if queue == asked and given > back then full, back = full - interval * (given - back), given end
end
local function keep()
  if not queue or full <= now then redis.call('DEL', KEYS[1]) end
  if full <= now then queue = nil return end
  queue = queue or now
  redis.call('HSET', KEYS[1], 'full', string.format('%.0f', full), 'seen', string.format('%.0f', now), 'queue', string.format('%.0f', queue))
  if back > 0 then redis.call('HSET', KEYS[1], field, back) end
  redis.call('PEXPIRE', KEYS[1], math.ceil((full - now) / 1000))
end
local function answer(wait) return {wait, now, queue or 0, back} end
`

// take is the generic cell rate algorithm. It answers with the wait for the
// turn in microseconds, or -1 and takes no turn when that is longer than the
// caller can wait, or -2 when nobody waits for the answer any more: Redis may
// have hung. The other values are its time, and what it knows of the queue. A
// process that did without Redis says what it used meanwhile.
var take = goredis.NewScript(state + `
local patience, used, last = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
if last > 0 and now > last then return answer(-2) end
give()
local next = math.max(now, full, now + used) + interval
local wait = math.max(0, next - interval * burst - now)
if patience >= 0 and wait > patience then keep() return answer(-1) end
full = next
keep()
return answer(wait)`)

// late is the answer of take to a call that it executes after its time.
const late = -2

var giveBack = goredis.NewScript(state + `
give()
keep()
return answer(0)`)
