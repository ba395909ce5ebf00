package requestid_test

import (
	"errors"
	"fmt"

	"github.com/practicesdk/practice-go/requestid"
)

// Every instance with the key recognises the ids, without shared state.
func ExampleSigner() {
	signer, err := requestid.NewSigner([]byte("a random key of exactly 32 bytes"))
	if err != nil {
		fmt.Println(err)
		return
	}
	made, own := signer.Verify(signer.NewRequestID())
	fmt.Println(own, !made.IsZero())
	_, own = signer.Verify("6e546416-8149-5540-a814-155abb8460f5")
	fmt.Println(own)
	_, err = requestid.NewSigner(make([]byte, requestid.KeySize-1))
	fmt.Println(errors.Is(err, requestid.ErrKey))
	// Output:
	// true true
	// false
	// true
}
