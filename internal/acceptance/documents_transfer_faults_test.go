package acceptance_test

import (
	"bytes"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

const faultedSize = 40_000

// storageFault is a fault between the client and the storage.
type storageFault struct {
	name  string
	fault practicetest.Fault
	// then is a second fault for a fault that occurs only once.
	then practicetest.Fault
	// final: the fault ends the transfer immediately, even if it occurs only
	// once.
	final bool
	// stale: the fault may make the partial file of an earlier call look like
	// another version.
	stale bool
	// shorter: the fault may make the content look shorter than a range.
	shorter bool
	// late: the storage sends another content without a length, which is
	// noticed only at its end.
	late bool
	// unnoticed: the client receives the right content.
	unnoticed bool
}

func storageFaults(operation string) []storageFault {
	const size = faultedSize
	refusal := func(status int, code, message string) practicetest.Fault {
		return practicetest.Fault{Status: status, Body: `<?xml version="1.0"?><Error><Code>` + code + `</Code><Message>` + message + `</Message></Error>`}
	}
	expired := refusal(403, "AccessDenied", "Request has expired")
	get := operation == "storage.get"
	list := []storageFault{
		{name: "reset before the first byte", fault: practicetest.Fault{Kind: practicetest.FaultResetBefore}},
		{name: "reset after everything", fault: practicetest.Fault{Kind: practicetest.FaultResetAfter}},
		{name: "stalls", fault: practicetest.Fault{Kind: practicetest.FaultStall}},
		{name: "truncated", fault: practicetest.Fault{Kind: practicetest.FaultTruncated}},
		{name: "slow", fault: practicetest.Fault{Kind: practicetest.FaultSlow, BytesPerSecond: size / 30}, unnoticed: true},
		{name: "slow to answer", fault: practicetest.Fault{Kind: practicetest.FaultLatency, Delay: 20 * time.Second}, unnoticed: true},
		{name: "too slow to answer", fault: practicetest.Fault{Kind: practicetest.FaultLatency, Delay: 2 * time.Minute}},
		{name: "address expired before", fault: expired},
		{name: "403", fault: practicetest.Fault{Status: 403}},
		{name: "404", fault: practicetest.Fault{Status: 404}, final: true, stale: true},
		{name: "408", fault: practicetest.Fault{Status: 408}},
		{name: "412 that nobody asked for", fault: practicetest.Fault{Status: 412}, final: true, stale: true},
		{name: "416 that nobody asked for", fault: practicetest.Fault{Status: 416}, final: true, stale: true, shorter: true},
		{name: "429", fault: practicetest.Fault{Kind: practicetest.FaultRateLimit, RetryAfter: "7"}},
		{name: "500", fault: practicetest.Fault{Status: 500}},
		{name: "425", fault: practicetest.Fault{Status: 425}},
		{name: "409", fault: practicetest.Fault{Status: 409}, final: true, stale: true},
		{name: "409 at another operation", fault: refusal(409, "OperationAborted", "Try again.")},
		{name: "404 that asks to wait", fault: practicetest.Fault{Status: 404, RetryAfter: "3"}},
		{name: "501", fault: practicetest.Fault{Status: 501}},
		{name: "503", fault: practicetest.Fault{Status: 503}},
		{name: "redirect", fault: practicetest.Fault{Status: 307}, final: true},
		{name: "page of a proxy", fault: practicetest.Fault{Kind: practicetest.FaultHTML}},
		{name: "page of a proxy with 200", fault: practicetest.Fault{Kind: practicetest.FaultHTML, Status: 200}},
		{name: "error with 200", fault: practicetest.Fault{Status: 200}},
		{name: "endless error", fault: practicetest.Fault{Kind: practicetest.FaultEndless, Status: 503}},
	}
	if get {
		return append(list,
			storageFault{name: "wrong length, less", fault: practicetest.Fault{Status: 200, Body: "short", ContentType: "application/octet-stream"}},
			storageFault{name: "wrong length, more", fault: practicetest.Fault{Status: 200, Body: strings.Repeat("more", size), ContentType: "application/octet-stream"}, late: true},
			storageFault{name: "wrong length, no end", fault: practicetest.Fault{Kind: practicetest.FaultEndless, ContentType: "application/octet-stream"}, late: true},
			storageFault{name: "address expired during", fault: practicetest.Fault{Kind: practicetest.FaultResetAfter, After: size / 2}, then: expired},
			storageFault{name: "reset in the middle", fault: practicetest.Fault{Kind: practicetest.FaultResetAfter, After: size / 2}},
			storageFault{name: "reset at the last byte", fault: practicetest.Fault{Kind: practicetest.FaultResetAfter, After: size - 1}},
			storageFault{name: "reset after one byte", fault: practicetest.Fault{Kind: practicetest.FaultResetAfter, After: 1}},
			storageFault{name: "truncated after one byte", fault: practicetest.Fault{Kind: practicetest.FaultTruncated, After: 1}},
			storageFault{name: "stalls in the middle", fault: practicetest.Fault{Kind: practicetest.FaultStall, After: size / 2}},
		)
	}
	return append(list,
		storageFault{name: "endless success", fault: practicetest.Fault{Kind: practicetest.FaultEndless}},
		storageFault{name: "wrong length", fault: refusal(400, "IncompleteBody", "That was not all.")},
		storageFault{name: "too slow", fault: practicetest.Fault{Kind: practicetest.FaultSlow, BytesPerSecond: size / 90}},
		storageFault{name: "address expired during", fault: practicetest.Fault{Kind: practicetest.FaultResetBefore, After: size / 2}, then: expired},
		storageFault{name: "reset in the middle", fault: practicetest.Fault{Kind: practicetest.FaultResetBefore, After: size / 2}},
		storageFault{name: "reset at the last byte", fault: practicetest.Fault{Kind: practicetest.FaultResetBefore, After: size - 1}},
	)
}

// TestEveryStorageFault combines every fault of the storage, once and
// permanent, with every way of transferring content. The result is the complete
// right content or a typed error; there is no second file, and nothing is left
// behind but the state from which the next call resumes.
func TestEveryStorageFault(t *testing.T) {
	t.Parallel()
	type combined struct {
		way   transferWay
		fault storageFault
		times int
	}
	name := func(c combined) string {
		return c.way.name + "/" + c.fault.name + map[int]string{1: "", -1: " for ever"}[c.times]
	}
	var all []combined
	for _, way := range transferWays() {
		for _, fault := range storageFaults(way.storage) {
			all = append(all, combined{way, fault, 1}, combined{way, fault, -1})
		}
	}
	for _, c := range soak.Slice(t, 4, all, name) {
		t.Run(name(c), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := newTransferWorld(t, 1, faultedSize)
				c.way.prepare(w)
				require.Equal(t, c.way.continues, len(w.left()) == 1, "what there is to go on with")
				c.fault.strike(w, c.way, c.times)
				err := c.way.move(t.Context(), w)
				// Each attempt may transfer a byte, so enough attempts of a fault
				// for ever would succeed.
				if c.times == 1 && c.fault.ends(c.way, err) || c.times < 0 && !c.fault.unnoticed {
					assertTransferFailed(w, c.way, err)
					w.server.ClearFaults()
					err = c.way.goOn(t.Context(), w)
				}
				require.NoError(t, err)
				assertTransferred(w, c.way)
			})
		})
	}
}

// ends reports whether a single occurrence of the fault ends the transfer.
// Content has already been passed on when a late fault shows, unless the way of
// transfer can discard it.
func (f storageFault) ends(way transferWay, err error) bool {
	switch {
	case f.late:
		return err != nil
	case f.stale && way.continues, f.shorter && way.ranged:
		return false
	}
	return f.final
}

// strike injects the fault the given number of times.
func (f storageFault) strike(w *transferWorld, way transferWay, times int) {
	first, second := f.fault, f.then
	first.Operation, first.Times = way.storage, times
	if second.Status != 0 {
		first.Times = 1
		second.Operation, second.Times = way.storage, times
		w.server.Inject(first, second)
		return
	}
	w.server.Inject(first)
}

func assertTransferred(w *transferWorld, way transferWay) {
	w.t.Helper()
	assert.True(w.t, way.arrived(w), "the right content")
	assert.Equal(w.t, w.files+way.newFiles, w.countFiles(), "one file")
	want := []string(nil)
	if way.local != "" {
		want = []string{way.local}
	}
	assert.Equal(w.t, want, w.left(), "nothing else is left")
	assert.False(w.t, w.told.wrong, "progress")
}

func assertTransferFailed(w *transferWorld, way transferWay, err error) {
	w.t.Helper()
	failed, ok := errors.AsType[*practice.TransferError](err)
	require.True(w.t, ok, "%v", err)
	assert.NotEmpty(w.t, failed.FileID)
	assert.NotEmpty(w.t, failed.Operation)
	assert.NotContains(w.t, failed.Error(), "Signature")
	assert.Len(w.t, w.left(), unfinished(w.left()), "only what can be resumed")
	assert.LessOrEqual(w.t, len(w.left()), 1)
	assert.Equal(w.t, w.files+way.newFiles, w.countFiles(), "one file")
	assert.False(w.t, w.told.wrong, "progress")
	w.told = newToldProgress()
}

var faultSequences = flag.Int("fault-sequences", soak.Times(soak.Least(100), 10_000), "how many random sequences of faults TestRandomFaults tries")

// TestRandomFaults injects random faults into the storage and the service.
// -fault-sequences sets the number of sequences; the first ones are always the
// same.
func TestRandomFaults(t *testing.T) {
	t.Parallel()
	ways := transferWays()
	const lanes = 8
	for lane := range uint64(lanes) {
		t.Run("lane "+strconv.FormatUint(lane, 10), func(t *testing.T) {
			t.Parallel()
			for i := lane; i < uint64(*faultSequences); i += lanes {
				random := rand.New(rand.NewPCG(2026, i))
				way := ways[random.IntN(len(ways))]
				synctest.Test(t, func(t *testing.T) { randomTransfer(t, i, way, random) })
				if t.Failed() {
					t.Fatalf("sequence %d: %s", i, way.name)
				}
			}
		})
	}
}

func randomTransfer(t *testing.T, seed uint64, way transferWay, random *rand.Rand) {
	sizes := []int{0, 1, 2, 1000, 8192, 20_000, 40_000}
	w := newTransferWorld(t, seed, sizes[random.IntN(len(sizes))],
		practice.WithMaxBody(64<<10), practice.WithRetries(random.IntN(6)), practice.WithIdleTimeout(time.Duration(1+random.IntN(90))*time.Second))
	way.prepare(w)
	faults := storageFaults(way.storage)
	for range 1 + random.IntN(6) {
		fault := faults[random.IntN(len(faults))].fault
		fault.Operation = []string{way.storage, way.storage, way.storage, way.renewal}[random.IntN(4)]
		if fault.Operation == way.renewal && fault.Kind == practicetest.FaultStatus && fault.Status < 300 {
			fault.Status = 500
		}
		fault.Skip, fault.Times = random.IntN(3), 1+random.IntN(2)
		if fault.After > 0 {
			fault.After = 1 + random.Int64N(int64(len(w.content)+1))
		}
		w.server.Inject(fault)
	}
	move := way.move
	for {
		err := move(t.Context(), w)
		if err == nil {
			break
		}
		assertFailure(w, err)
		w.told = newToldProgress()
		if w.made != "" || way.newFiles == 0 {
			move = way.goOn
		}
		if t.Failed() {
			return
		}
	}
	w.server.ClearFaults()
	assertTransferred(w, way)
}

// assertFailure accepts only the typed errors that a caller can handle.
func assertFailure(w *transferWorld, err error) {
	w.t.Helper()
	_, transfer := errors.AsType[*practice.TransferError](err)
	_, answer := errors.AsType[*practice.Error](err)
	_, call := errors.AsType[*practice.NoAnswerError](err)
	_, decode := errors.AsType[*practice.DecodeError](err)
	assert.True(w.t, transfer || answer || call || decode, "%v", err)
	assert.LessOrEqual(w.t, len(w.left()), 1)
	assert.Len(w.t, w.left(), unfinished(w.left()))
}

// TestBrokenConnectionsOverTCP tries the faults that an in-memory network
// cannot reproduce.
func TestBrokenConnectionsOverTCP(t *testing.T) {
	t.Parallel()
	const size = 3 << 20
	for _, test := range []struct {
		name  string
		fault practicetest.Fault
	}{
		{"none", practicetest.Fault{Kind: practicetest.FaultLatency}},
		{"an upload is reset at its beginning", practicetest.Fault{Operation: "storage.put", Kind: practicetest.FaultResetBefore}},
		{"an upload is reset in the middle", practicetest.Fault{Operation: "storage.put", Kind: practicetest.FaultResetBefore, After: size / 2}},
		{"an upload is refused before it was read", practicetest.Fault{Operation: "storage.put", Status: 503}},
		{"an address is refused before the body was read", practicetest.Fault{Operation: "storage.put", Status: 403}},
		{"an upload gets no answer", practicetest.Fault{Operation: "storage.put", Kind: practicetest.FaultStall}},
		{"a download is reset at its beginning", practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultResetBefore, Times: 2}},
		{"a download is reset in the middle", practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultResetAfter, After: size / 8, Times: 3}},
		{"a download is cut short", practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultTruncated, Times: 2}},
		{"a download stalls", practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultStall, After: 100_000, Times: 2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			idle := 10 * time.Minute
			if test.fault.Kind == practicetest.FaultStall {
				soak.Only(t, "a stall over TCP ends by the clock; TestEveryStorageFault has it in virtual time")
				idle = time.Second
			}
			t.Parallel()
			server, err := practicetest.Start(practicetest.WithEvents(0), practicetest.WithMatters(1), practicetest.WithWriteDelay(0), practicetest.WithStrict(true))
			require.NoError(t, err)
			t.Cleanup(func() { assert.NoError(t, server.Close()) })
			server.Inject(test.fault)
			client := server.Client(t, practice.WithMaxRetryWait(10*time.Millisecond), practice.WithIdleTimeout(idle))
			content := contentOf(t, size)
			matter, dir := server.Firm().MatterID, t.TempDir()
			file, err := client.Documents.Upload(t.Context(), matter, practice.Upload{
				Name: "a.bin", Body: plainReader{bytes.NewReader(content)}, TempDir: dir,
			})
			require.NoError(t, err)
			stored, _ := server.FileContent(file.ID)
			require.True(t, bytes.Equal(content, stored))

			local, err := client.Documents.DownloadFile(t.Context(), matter, file.ID, dir, practice.DownloadOptions{RangeSize: 1 << 19})
			require.NoError(t, err)
			got, err := os.ReadFile(local.Path)
			require.NoError(t, err)
			assert.True(t, bytes.Equal(content, got))
			left, err := filepath.Glob(filepath.Join(dir, "*"))
			require.NoError(t, err)
			assert.Equal(t, []string{local.Path}, left)
			var read bytes.Buffer
			_, err = client.Documents.Download(t.Context(), matter, file.ID, &read, practice.DownloadOptions{})
			require.NoError(t, err)
			assert.True(t, bytes.Equal(content, read.Bytes()))
			assert.Empty(t, server.Violations())
		})
	}
}
