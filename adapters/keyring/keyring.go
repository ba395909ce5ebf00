// Package keyring stores the key of an auth.TokenFile in the operating system's
// keyring: Keychain on macOS, Credential Manager on Windows, and the desktop's
// Secret Service on Linux and BSD. It stores only the key there, because
// keyrings accept only short values (2,560 bytes on Windows) and do not offer a
// lock between processes. A TokenFile has neither limitation.
package keyring

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/zalando/go-keyring"

	"github.com/practicesdk/practice-go/auth"
)

const keySize = 32 // in bytes, for AES-256

// ErrKey reports an entry of the keyring that is not a key of this package.
var ErrKey = errors.New("the keyring entry is not a valid key")

// TokenFile returns a file of tokens at path, encrypted with a key from the
// keyring. The keyring entry is identified by service, such as the name of the
// program, and user, such as the name of the account. The key is created when
// the first tokens are saved. Without the key the file cannot be decrypted, and
// the user must sign in again.
func TokenFile(path, service, user string) auth.TokenFile {
	return auth.TokenFile{Path: path, Key: Key(service, user)}
}

// Key returns a function that returns the 32-byte key of service and user in
// the keyring, and creates it if it does not exist. While the keyring is locked
// the function waits for the user, possibly longer than its context, which
// keyrings do not support.
func Key(service, user string) func(ctx context.Context) ([]byte, error) {
	return func(ctx context.Context) ([]byte, error) {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		return keyOf(service, user)
	}
}

func keyOf(service, user string) ([]byte, error) {
	text, err := keyring.Get(service, user)
	if errors.Is(err, keyring.ErrNotFound) {
		return makeKey(service, user)
	}
	if err != nil {
		return nil, fmt.Errorf("keyring: %w", err)
	}
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(key) != keySize {
		return nil, ErrKey
	}
	return key, nil
}

func makeKey(service, user string) ([]byte, error) {
	key := make([]byte, keySize)
	_, _ = rand.Read(key) // never fails
	if err := keyring.Set(service, user, base64.StdEncoding.EncodeToString(key)); err != nil {
		return nil, fmt.Errorf("keyring: %w", err)
	}
	return key, nil
}
