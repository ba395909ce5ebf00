package testkit

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/practicesdk/practice-go/auth"
)

// ErrTrap is the value of every panic of a Trap.
var ErrTrap = errors.New("a function of the caller")

// Trap counts the calls of a function of the caller, and panics in one of them.
type Trap struct {
	Steps atomic.Int64
	at    atomic.Int64 // number of the call that panics; 0 means none
}

// Step counts a call, and panics with ErrTrap in the call chosen by Set.
func (h *Trap) Step() {
	if at := h.at.Load(); at > 0 && h.Steps.Add(1) == at {
		panic(ErrTrap)
	}
}

// Set makes the nth Step during call panic. It returns the value of the panic
// or nil, and the error of call if it returned.
func (h *Trap) Set(n int64, call func() error) (value any, err error) {
	h.Steps.Store(0)
	h.at.Store(n)
	defer func() {
		h.at.Store(0)
		value = recover()
	}()
	return nil, call()
}

// TrapStore calls a hook, if it is set, in each method of a token store.
type TrapStore struct {
	auth.TokenStore
	OnLock, OnLoad, OnSave, OnSaved func()
}

// Lock calls OnLock first.
func (h TrapStore) Lock(ctx context.Context) (func(), error) {
	step(h.OnLock)
	return h.TokenStore.Lock(ctx)
}

// Load calls OnLoad first.
func (h TrapStore) Load(ctx context.Context) (auth.Tokens, error) {
	step(h.OnLoad)
	return h.TokenStore.Load(ctx)
}

// Save calls OnSave first and OnSaved last.
func (h TrapStore) Save(ctx context.Context, tokens auth.Tokens) error {
	step(h.OnSave)
	defer step(h.OnSaved)
	return h.TokenStore.Save(ctx, tokens)
}

func step(hook func()) {
	if hook != nil {
		hook()
	}
}
