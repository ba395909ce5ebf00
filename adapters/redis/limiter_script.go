package redis

import goredis "github.com/redis/go-redis/v9"

// take implements the generic cell rate algorithm. The key holds the time at
// which the bucket will be full again, and the time of Redis when that was
// written: if the clock was set back, the first is set back, too. A value of
// another form counts as a full bucket. A process that has worked without Redis
// empties the bucket, because it is unknown how many turns all processes took
// meanwhile. The result is the wait for the turn in microseconds, or -1 without
// taking a turn if it is longer than the caller can wait.
var take = goredis.NewScript(`
local interval, burst, patience = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local was = redis.pcall('GET', KEYS[1])
local full, seen = string.match(type(was) == 'string' and was or '', '^(%d+) (%d+)$')
full = full and tonumber(full) - math.max(0, tonumber(seen) - now) or 0
if ARGV[4] == '1' then full = math.max(full, now + interval * burst) end
local turn = math.max(full, now) + interval
local wait = math.max(0, turn - interval * burst - now)
if patience >= 0 and wait > patience then return -1 end
redis.call('SET', KEYS[1], string.format('%.0f %.0f', turn, now), 'PX', math.ceil((turn - now) / 1000))
return wait`)
