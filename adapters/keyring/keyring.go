// Package keyring keeps the key of an auth.TokenFile in the keyring of the
// operating system: Keychain on macOS, Credential Manager on Windows, and the
// Secret Service of the desktop on Linux and BSD. Only the key is kept there,
// because a keyring takes short texts, on Windows of 2,560 bytes, and has no
// lock that several processes could share. Both are what a TokenFile is for.
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
var ErrKey = errors.New("the entry of the keyring is no key")

// TokenFile is a file of tokens at path, encrypted with a key of the keyring.
// The key is the entry of service, such as the name of the program, and user,
// such as the name of the account. It is made when the first tokens are saved.
// Without it the file cannot be read, and the user signs in again.
func TokenFile(path, service, user string) auth.TokenFile {
	return auth.TokenFile{Path: path, Key: Key(service, user)}
}

// Key reads the key of 32 bytes that the keyring has for service and user, and
// makes one when there is none. Where the keyring is locked it waits for the
// user, longer than the context if need be: the keyring of the system knows
// none.
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
