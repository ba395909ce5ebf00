package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
)

// children holds the functions of child processes of this program, by name. The
// first argument of the program is the name, the second the task.
var children = map[string]func(task []byte, in io.Reader, out io.Writer) error{
	"store":    storeChild,
	"transfer": transferChild,
}

func storeChild(task []byte, in io.Reader, out io.Writer) error {
	var cfg feed.StoreConfig
	if err := json.Unmarshal(task, &cfg); err != nil {
		return err
	}
	return feed.ServeStore(cfg, in, out)
}

// child is a child process of this program.
type child struct {
	command *exec.Cmd
	in      io.Closer
	out     *json.Decoder
}

// startChild starts a child with additional environment variables.
func startChild(name string, task any, environment ...string) (*child, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(task)
	if err != nil {
		return nil, err
	}
	command := exec.Command(program, name, string(text)) //nolint:gosec // this program itself
	command.Env = append(os.Environ(), environment...)
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
	return &child{command, in, json.NewDecoder(out)}, nil
}

// Close ends the child, which exits at the end of its input. It also exits when
// this process dies.
func (c *child) Close() error {
	if err := c.in.Close(); err != nil {
		return err
	}
	return c.command.Wait()
}

// remoteStore is a store in its own process.
type remoteStore struct {
	*child
	feed.StoreAddress
}

func startStore(cfg feed.StoreConfig) (*remoteStore, error) {
	c, err := startChild("store", cfg)
	if err != nil {
		return nil, err
	}
	s := &remoteStore{child: c}
	if err := c.out.Decode(&s.StoreAddress); err != nil {
		return nil, fmt.Errorf("the store does not say where it is: %w", err)
	}
	return s, nil
}
