package practice

import "os"

func save(path string) error { return os.WriteFile(path, nil, 0o600) }

func scratch() (string, error) { return os.MkdirTemp("", "x") }
