package redis

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	goredis "github.com/redis/go-redis/v9"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// advance stores the time of the newest event and the identities at that time,
// each followed by a space. It compares times as strings of the same length,
// because numbers in Lua are floating-point, which cannot hold ticks exactly.
var advance = goredis.NewScript(`
local now, was = ARGV[1], redis.call('GET', KEYS[1])
local ids = ''
if was then
  local at = string.match(was, '^%d+')
  if now < at then return 0 end
  if now == at then ids = string.sub(was, #at + 2) end
end
if not string.find(' ' .. ids, ' ' .. ARGV[2] .. ' ', 1, true) then ids = ids .. ARGV[2] .. ' ' end
local _, count = string.gsub(ids, ' ', ' ')
if count > tonumber(ARGV[3]) then ids = string.match(ids, '^%S+ (.*)$') end
redis.call('SET', KEYS[1], now .. ' ' .. ids, 'PX', ARGV[4])
return 0`)

// Check implements [webhook.Sequencer].
func (s *Store) Check(ctx context.Context, p webhook.Position) (webhook.Order, error) {
	known, err := s.client.Get(ctx, s.prefix+ofResource+p.Resource).Result()
	switch {
	case errors.Is(err, goredis.Nil):
		return webhook.OrderFresh, nil
	case err != nil:
		return webhook.OrderNone, wrap("check the order of an event", err)
	}
	first, events, _ := strings.Cut(known, " ")
	at, err := strconv.ParseInt(first, 10, 64)
	if err != nil {
		return webhook.OrderNone, errUnreadable
	}
	switch newest := models.Ticks(at); {
	case p.Timestamp > newest:
		return webhook.OrderFresh, nil
	case p.Timestamp < newest:
		return webhook.OrderStale, nil
	case slices.Contains(strings.Fields(events), p.Identity):
		return webhook.OrderDuplicate, nil
	default:
		return webhook.OrderFresh, nil
	}
}

// Advance implements [webhook.Sequencer].
func (s *Store) Advance(ctx context.Context, p webhook.Position) error {
	at := fmt.Sprintf("%019d", int64(p.Timestamp))
	return wrap("remember the order of an event",
		advance.Run(ctx, s.client, s.keys(ofResource, p.Resource), at, p.Identity, webhook.SequencerTies, s.milliseconds()).Err())
}
