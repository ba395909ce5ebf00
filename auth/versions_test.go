package auth_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
)

// laterVersion is the store of a later version of a program, which adds members
// to its file.
type laterVersion struct{ auth.TokenFile }

func (l laterVersion) Save(ctx context.Context, tokens auth.Tokens) error {
	if err := l.TokenFile.Save(ctx, tokens); err != nil {
		return err
	}
	text := strings.TrimSuffix(tokens.Reveal(), "}") + `,"version":2,"scopes":["matters"]}`
	if err := os.WriteFile(l.Path+".new", []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(l.Path+".new", l.Path)
}

// TestUsersOfFirmsShareTokensBetweenVersions runs two processes for each of two
// users of two firms, one of them of a later version. The token endpoints
// return odd responses.
func TestUsersOfFirmsShareTokensBetweenVersions(t *testing.T) {
	t.Parallel()
	odd := []struct{ mediaType, body string }{
		{"text/plain", `{"access_token":"%s","refresh_token":"%s","expires_in":3600.0}`},
		{"application/x-www-form-urlencoded", `{"access_token":"%s","refresh_token":"%s","expires_in":"3600"}`},
		{"", "access_token=%s&refresh_token=%s&expires_in=3600"},
		{"text/html", `{"access_token":"%s","refresh_token":"%s","expires_in":"3.6e3"}`},
	}
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		worlds, clients := []*oneTime{}, []*practice.Client{}
		for _, user := range []string{"firm-1-user-1-", "firm-1-user-2-", "firm-2-user-1-", "firm-2-user-2-"} {
			world := &oneTime{user: user}
			world.respond = func(n int) (int, string, string) {
				form := odd[n%len(odd)]
				return http.StatusOK, form.mediaType, fmt.Sprintf(form.body, fmt.Sprint(user, "access-", n), fmt.Sprint(user, "refresh-", n))
			}
			file := auth.TokenFile{Path: filepath.Join(dir, user)}
			worlds = append(worlds, world)
			clients = append(clients, world.client(t, file), world.client(t, laterVersion{file}))
		}
		const days = 8
		for range days {
			var calls sync.WaitGroup
			for _, client := range clients {
				for range 3 {
					calls.Go(func() { assert.NoError(t, read(t, client)) })
				}
			}
			calls.Wait()
			<-time.After(24 * time.Hour)
		}
		for _, world := range worlds {
			for i, spent := range world.spent {
				require.Equal(t, fmt.Sprint(world.user, "refresh-", i), spent, "each refresh token is spent once, by its user")
			}
			assert.GreaterOrEqual(t, len(world.spent), days-1)
		}
	})
}
