package main

import (
	"bytes"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAForgedBodyIsNoMoreThanAHint(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.launch(t)
	address := p.address(t)
	assert.Equal(t, http.StatusUnauthorized, w.send(t, address, http.Header{}, w.body(0)), "nobody signed it")

	header := http.Header{}
	require.NoError(t, w.signer.Sign(header, time.Now(), "r-1"))
	require.Equal(t, http.StatusOK, w.send(t, address, header, w.body(0)))
	forged := bytes.Replace(w.body(1), []byte(`"lastName"`), []byte(`"relations":["false"],"lastName"`), 1)
	require.Equal(t, http.StatusOK, w.send(t, address, header, forged), "its headers are genuine")

	db := w.open(t)
	w.await(t, db, 2)
	w.check(t, db, 2) // the copy is what the service says
	require.NoError(t, p.Process.Signal(stop))
	p.reading.Wait()
	require.NoError(t, p.Wait())
	assert.Contains(t, p.said(), "The signature of request r-1 came with two bodies: one may be forged.\n")
}
