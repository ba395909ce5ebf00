package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
)

// storeChild is the first argument of this program as a store in a process of
// its own. The second one is the configuration.
const storeChild = "store"

func serveStore(text string, in io.Reader, out io.Writer) error {
	var cfg feed.StoreConfig
	if err := json.Unmarshal([]byte(text), &cfg); err != nil {
		return err
	}
	return feed.ServeStore(cfg, in, out)
}

// remoteStore is a store in a child process of this program.
type remoteStore struct {
	feed.StoreAddress
	command *exec.Cmd
	in      io.Closer
}

func startStore(cfg feed.StoreConfig) (*remoteStore, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(cfg)
	if err != nil {
		return nil, err
	}
	command := exec.Command(program, storeChild, string(text)) //nolint:gosec // this program itself
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	s := &remoteStore{command: command, in: in}
	if err := json.NewDecoder(out).Decode(&s.StoreAddress); err != nil {
		return nil, errors.Join(fmt.Errorf("the store does not say where it is: %w", err), s.Close())
	}
	return s, nil
}

// Close ends the store, which exits at the end of its input. It also exits when
// this process dies.
func (s *remoteStore) Close() error {
	if err := s.in.Close(); err != nil {
		return err
	}
	return s.command.Wait()
}
