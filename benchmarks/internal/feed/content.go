package feed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
)

// block is repeated to form the content. Its length is a prime number, so that
// no two ranges begin alike.
var block = sync.OnceValue(func() []byte {
	b := make([]byte, 1<<20-3)
	_, _ = rand.NewChaCha8([32]byte{}).Read(b) // ChaCha8 never fails
	return b
})

// WriteContent writes a part of the content of a store's object.
func WriteContent(w io.Writer, from, to int64) error {
	for b := block(); from < to; {
		at := from % int64(len(b))
		n, err := w.Write(b[at:min(int64(len(b)), at+to-from)])
		if err != nil {
			return err
		}
		from += int64(n)
	}
	return nil
}

// CheckContent reads r and returns an error if it is not the content of a
// store's object of this size.
func CheckContent(r io.Reader, size int64) error {
	buffer := make([]byte, len(block()))
	for at := int64(0); at < size; {
		part := buffer[:min(int64(len(buffer)), size-at)]
		if _, err := io.ReadFull(r, part); err != nil {
			return fmt.Errorf("the content ends behind byte %d: %w", at, err)
		}
		if !bytes.Equal(part, block()[:len(part)]) {
			return fmt.Errorf("the content is another one behind byte %d", at)
		}
		at += int64(len(part))
	}
	if n, _ := r.Read(buffer[:1]); n > 0 {
		return errors.New("the content is too long")
	}
	return nil
}
