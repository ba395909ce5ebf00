package redis_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"

	"github.com/practicesdk/practice-go/adapters/redis"
)

// simulated is a Redis without a network for tests in a bubble: it runs the
// scripts of a limiter with the time of the bubble.
type simulated struct {
	mu      sync.Mutex
	lua     *lua.LState
	scripts map[string]*lua.LFunction
	values  map[string]string
	expiry  map[string]time.Time
	ahead   time.Duration // of its clock
	down    bool
	hanging chan struct{} // closed by resume; nil for a server that does not hang
}

func newSimulated() *simulated {
	s := &simulated{lua: lua.NewState(), scripts: map[string]*lua.LFunction{}}
	s.lua.SetGlobal("redis", s.lua.SetFuncs(s.lua.NewTable(), map[string]lua.LGFunction{"call": s.call, "pcall": s.call}))
	s.forget()
	return s
}

func (s *simulated) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values, s.expiry = map[string]string{}, map[string]time.Time{}
}

func (s *simulated) kill() { s.setDown(true) }

func (s *simulated) start() { s.setDown(false) }

func (s *simulated) setDown(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

// hang blocks all calls until resume.
func (s *simulated) hang() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hanging = make(chan struct{})
}

func (s *simulated) resume() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.hanging)
	s.hanging = nil
}

// limiter returns a limiter of a separate process.
func (s *simulated) limiter(t *testing.T, perSecond float64, burst int, options ...redis.Option) *redis.Limiter {
	t.Helper()
	limiter, err := redis.NewLimiter(simulatedClient{s: s}, perSecond, burst, options...)
	require.NoError(t, err)
	return limiter
}

// simulatedClient supports only calls of scripts.
type simulatedClient struct {
	goredis.UniversalClient
	s *simulated
}

func (simulatedClient) EvalSha(ctx context.Context, _ string, _ []string, _ ...any) *goredis.Cmd {
	command := goredis.NewCmd(ctx)
	command.SetErr(noScriptError{})
	return command
}

func (c simulatedClient) Eval(ctx context.Context, script string, keys []string, args ...any) *goredis.Cmd {
	command := goredis.NewCmd(ctx)
	answer, err := c.s.eval(ctx, script, keys, args)
	if err != nil {
		command.SetErr(err)
	} else {
		command.SetVal(answer)
	}
	return command
}

// noScriptError is the response of a server that does not know the digest of a
// script.
type noScriptError struct{}

func (noScriptError) Error() string { return "NOSCRIPT No matching script." }
func (noScriptError) RedisError()   {}

// eval makes a call. If its caller has left, the call remains in the connection
// and is still executed.
func (s *simulated) eval(ctx context.Context, script string, keys []string, args []any) (int64, error) {
	s.mu.Lock()
	down, hanging := s.down, s.hanging
	s.mu.Unlock()
	if down {
		return 0, errors.New("connection refused")
	}
	type outcome struct {
		answer int64
		err    error
	}
	executed := make(chan outcome, 1)
	go func() {
		if hanging != nil {
			<-hanging
		}
		answer, err := s.execute(script, keys, args)
		executed <- outcome{answer, err}
	}()
	select {
	case one := <-executed:
		return one.answer, one.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func (s *simulated) execute(script string, keys []string, args []any) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.scripts[script] == nil {
		loaded, err := s.lua.LoadString(script)
		if err != nil {
			return 0, err
		}
		s.scripts[script] = loaded
	}
	s.lua.SetGlobal("KEYS", s.list(keys[0]))
	s.lua.SetGlobal("ARGV", s.list(args...))
	if err := s.lua.CallByParam(lua.P{Fn: s.scripts[script], NRet: 1, Protect: true}); err != nil {
		return 0, err
	}
	defer s.lua.Pop(1)
	return int64(s.lua.CheckNumber(-1)), nil
}

func (s *simulated) list(values ...any) *lua.LTable {
	table := s.lua.NewTable()
	for _, value := range values {
		table.Append(lua.LString(fmt.Sprint(value)))
	}
	return table
}

// call implements redis.call for scripts.
func (s *simulated) call(state *lua.LState) int {
	var operands []string
	for i := 2; i <= state.GetTop(); i++ {
		operands = append(operands, state.CheckString(i))
	}
	state.Push(s.command(state, state.CheckString(1), operands))
	return 1
}

// command executes a Redis command of a script.
func (s *simulated) command(state *lua.LState, name string, operands []string) lua.LValue {
	now, answer := time.Now(), state.NewTable()
	if name == "TIME" {
		micros := now.Add(s.ahead).UnixMicro()
		answer.Append(lua.LString(strconv.FormatInt(micros/1e6, 10)))
		answer.Append(lua.LString(strconv.FormatInt(micros%1e6, 10)))
		return answer
	}
	key, rest := operands[0], operands[1:]
	if expiry, ok := s.expiry[key]; ok && !expiry.After(now) {
		s.remove(key)
	}
	switch name {
	case "GET":
		if value, ok := s.values[key]; ok {
			return lua.LString(value)
		}
		return lua.LFalse
	case "SET": // with PX
		milliseconds, err := strconv.ParseInt(rest[2], 10, 64)
		if err != nil {
			state.RaiseError("%v", err)
		}
		s.values[key], s.expiry[key] = rest[0], now.Add(time.Duration(milliseconds)*time.Millisecond)
	default:
		state.RaiseError("no command %q", name)
	}
	return answer
}

func (s *simulated) remove(key string) {
	delete(s.values, key)
	delete(s.expiry, key)
}
