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

// Sequencer is a [webhook.Sequencer] for several processes. It keeps a resource
// for the retention time after its latest event.
//
// When Redis is down it fails, and a [webhook.Receiver] handles the event
// without advice. Only the comparison in the transaction of the handler makes
// an effect safe.
type Sequencer struct{ store }

// NewSequencer returns the Sequencer on a server. A nil client and an invalid
// option are a [webhook.ConfigError].
func NewSequencer(client goredis.UniversalClient, options ...StoreOption) (*Sequencer, error) {
	s, err := newStore(client, "order", options)
	if err != nil {
		return nil, err
	}
	return &Sequencer{s}, nil
}

// advance keeps the time of the newest event and the identities at that time,
// each with a space behind it. Times are compared as texts of one length: Lua
// has floating-point numbers only, which ticks do not fit.
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
func (s *Sequencer) Check(ctx context.Context, p webhook.Position) (webhook.Order, error) {
	known, err := s.client.Get(ctx, s.prefix+p.Resource).Result()
	switch {
	case errors.Is(err, goredis.Nil):
		return webhook.OrderFresh, nil
	case err != nil:
		return webhook.OrderNone, fmt.Errorf("redis: check the order of an event: %w", err)
	}
	fields := strings.Fields(known)
	if len(fields) == 0 {
		return webhook.OrderNone, errUnreadable
	}
	at, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return webhook.OrderNone, errUnreadable
	}
	switch newest := models.Ticks(at); {
	case p.Timestamp > newest:
		return webhook.OrderFresh, nil
	case p.Timestamp < newest:
		return webhook.OrderStale, nil
	case slices.Contains(fields[1:], p.Identity):
		return webhook.OrderDuplicate, nil
	default:
		return webhook.OrderFresh, nil
	}
}

var errUnreadable = errors.New("redis: a value is not one of this package")

// Advance implements [webhook.Sequencer].
func (s *Sequencer) Advance(ctx context.Context, p webhook.Position) error {
	at := fmt.Sprintf("%019d", int64(p.Timestamp))
	err := advance.Run(ctx, s.client, s.keys(p.Resource), at, p.Identity, webhook.SequencerTies, s.milliseconds()).Err()
	if err != nil {
		return fmt.Errorf("redis: remember the order of an event: %w", err)
	}
	return nil
}
