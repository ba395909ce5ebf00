package auth_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// isCaller makes the test binary a program that calls the service in a loop.
const isCaller = "PRACTICE_TEST_CALLER"

func TestMain(m *testing.M) {
	if text := os.Getenv(isCaller); text != "" {
		callForEver(strings.Split(text, "|"))
	}
	goleak.VerifyTestMain(m)
}

// callForEver prints a line for each call: "ok" or the error.
func callForEver(settings []string) {
	service, key, token, id, secret, staff := settings[0], settings[1], settings[2], settings[3], settings[4], settings[5]
	tokens, err := os.Open(settings[6])
	var client *practice.Client
	if err == nil {
		client, err = practice.NewClient(service, practice.WithAPIKey(key), practice.WithTokens(auth.Source{
			Credentials: auth.RefreshCredentials{TokenURL: token, ClientID: id, ClientSecret: models.NewSecret(secret)},
			Store:       auth.TokenFile{Path: tokens.Name()},
		}))
	}
	for err == nil {
		if _, failed := client.Staff.Get(context.Background(), staff); failed != nil {
			fmt.Println(strings.ReplaceAll(failed.Error(), "\n", " "))
		} else {
			fmt.Println("ok")
		}
	}
	fmt.Println(err)
	os.Exit(1)
}

// TestKilledProcessesLeaveTokensToTheOthers runs four processes that share
// tokens with a lifetime of two seconds and a refresh token for one use. Each
// process is killed at some moment. If it is killed between the response with
// new tokens and their save, they are lost and the user signs in again. Nothing
// else may fail, and the file must always be complete.
func TestKilledProcessesLeaveTokensToTheOthers(t *testing.T) {
	soak.Only(t, "moments of kills depend on the load")
	server, err := practicetest.Start(practicetest.WithTokenLifetime(2*time.Second), practicetest.WithOneTimeRefresh(true), practicetest.WithRequestLog(1))
	require.NoError(t, err)
	defer func() { require.NoError(t, server.Close()) }()
	file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}
	_, err = signInTo(t, server, file)
	require.NoError(t, err)
	own := server.Credentials()
	settings := strings.Join([]string{server.BaseURL(), own.APIKey, server.TokenURL(), own.ClientID, own.ClientSecret, server.Firm().StaffID, file.Path}, "|")

	var mu sync.Mutex
	told := map[string]int{}
	var reading sync.WaitGroup
	start := func() *exec.Cmd {
		binary, err := os.Executable()
		require.NoError(t, err)
		process := exec.CommandContext(t.Context(), binary)
		process.Env = append(os.Environ(), isCaller+"="+settings)
		out, err := process.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, process.Start())
		reading.Go(func() {
			for lines := bufio.NewScanner(out); lines.Scan(); {
				mu.Lock()
				told[lines.Text()]++
				mu.Unlock()
			}
		})
		return process
	}
	processes := make([]*exec.Cmd, 4)
	for i := range processes {
		processes[i] = start()
	}
	const kills = 900
	signedIn := 0
	for kill := range kills {
		<-time.After(75 * time.Millisecond)
		require.NoError(t, processes[kill%4].Process.Kill())
		_ = processes[kill%4].Wait() // the error reports the kill
		text, err := os.ReadFile(file.Path)
		require.NoError(t, err)
		_, err = auth.ParseTokens(string(text))
		require.NoError(t, err, "the file is whole after %d kills", kill+1)
		mu.Lock()
		lost := len(told) > 1
		mu.Unlock()
		if lost {
			signedIn++
			_, err := signInTo(t, server, file)
			require.NoError(t, err)
			mu.Lock()
			for line := range told {
				if line != "ok" {
					assert.Contains(t, line, "invalid_grant", "a renewal died with its process")
					delete(told, line)
				}
			}
			mu.Unlock()
		}
		processes[kill%4] = start()
	}
	for _, process := range processes {
		require.NoError(t, process.Process.Kill())
		_ = process.Wait() // the error reports the kill
	}
	reading.Wait()
	t.Logf("%d kills, %d calls, %d times signed in again", kills, told["ok"], signedIn)
	assert.Greater(t, told["ok"], kills)
	assert.Less(t, signedIn, kills/20, "more than one renewal of a few")
}
