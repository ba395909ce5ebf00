package auth

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/practicesdk/practice-go/internal/atomicfile"
	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/filelock"
)

// TokenFile is a TokenStore in a file that only its owner can read. A lock file
// beside it, whose name is Path followed by ".lock", excludes other processes
// on the machine. Each save replaces the file atomically. A missing folder is
// created. If Path is a symbolic link, the file that it points to is used.
// Delete the file to sign out; the service is not informed.
type TokenFile struct {
	Path string
	// Key returns a key of 16, 24 or 32 bytes that encrypts the file with
	// AES-GCM, for example from the operating system's keyring. If Key is nil,
	// the file is not encrypted.
	Key func(ctx context.Context) ([]byte, error)
}

// Pauses between two attempts to lock the file.
const (
	firstLockPause = 5 * time.Millisecond
	maxLockPause   = 200 * time.Millisecond
)

// Lock waits until no other process has locked the file.
func (f TokenFile) Lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(atomicfile.Target(f.Path)), 0o700); err != nil {
		return nil, err
	}
	place, err := atomicfile.At(f.Path)
	if err != nil {
		return nil, err
	}
	lock, err := place.OpenLock()
	_ = place.Close() // nothing was written, so Close loses no data
	if err != nil {
		return nil, err
	}
	for tries := 0; ; tries++ {
		err := filelock.Lock(lock)
		if errors.Is(err, filelock.ErrHeld) {
			err = backoff.Sleep(ctx, backoff.Exponential(firstLockPause, maxLockPause, tries))
			if err == nil {
				continue
			}
		}
		if err != nil {
			return nil, errors.Join(err, lock.Close())
		}
		return func() { _ = lock.Close() }, nil // Close releases the lock; nothing was written
	}
}

// Load reads the file. A missing file counts as an empty store.
func (f TokenFile) Load(ctx context.Context) (Tokens, error) {
	content, err := atomicfile.ReadFile(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return Tokens{}, nil
	}
	if err != nil {
		return Tokens{}, err
	}
	tokens, err := f.read(ctx, content)
	if err != nil {
		return Tokens{}, fmt.Errorf("%s: %w", f.Path, err)
	}
	return tokens, nil
}

func (f TokenFile) read(ctx context.Context, content []byte) (Tokens, error) {
	if f.Key != nil {
		seal, err := f.seal(ctx)
		if err != nil {
			return Tokens{}, err
		}
		var sealed sealedTokens
		if err := json.Unmarshal(content, &sealed); err != nil {
			return Tokens{}, errTokenFile
		}
		if content, err = seal.Open(nil, nil, sealed.Sealed, nil); err != nil {
			return Tokens{}, errTokenFile
		}
	}
	tokens, err := ParseTokens(string(content))
	if err != nil || tokens.empty() {
		return Tokens{}, errTokenFile
	}
	return tokens, nil
}

// Save writes a new file and renames it to Path.
func (f TokenFile) Save(ctx context.Context, tokens Tokens) error {
	content := []byte(tokens.Reveal())
	if f.Key != nil {
		seal, err := f.seal(ctx)
		if err != nil {
			return err
		}
		if content, err = json.Marshal(sealedTokens{seal.Seal(nil, nil, content, nil)}); err != nil { //nolint:gosec // the nonce is random, see seal
			return err
		}
	}
	return atomicfile.WriteFile(f.Path, content)
}

// sealedTokens is the content of an encrypted file: the nonce and the encrypted
// text of Tokens.
type sealedTokens struct {
	Sealed []byte `json:"sealed"`
}

func (f TokenFile) seal(ctx context.Context) (cipher.AEAD, error) {
	key, err := f.Key(ctx)
	if err != nil {
		return nil, fmt.Errorf("cannot obtain the encryption key of the file: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errTokenKey, err)
	}
	return cipher.NewGCMWithRandomNonce(block)
}
