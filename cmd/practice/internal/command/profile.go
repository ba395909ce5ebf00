package command

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/adapters/keyring"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/atomicfile"
	"github.com/practicesdk/practice-go/internal/spelling"
	"github.com/practicesdk/practice-go/internal/textfile"
	"github.com/practicesdk/practice-go/models"
)

// Grants of a profile.
const (
	grantCode   = "authorization_code"
	grantClient = "client_credentials"
)

// profile describes a service and how to sign in to it. It contains no secrets.
type profile struct {
	Name         string   `json:"-"`
	BaseURL      string   `json:"baseUrl"`
	Grant        string   `json:"grant"`
	AuthorizeURL string   `json:"authorizeUrl,omitempty"`
	TokenURL     string   `json:"tokenUrl"`
	ClientID     string   `json:"clientId"`
	Scopes       []string `json:"scopes,omitempty"`
	AccountID    string   `json:"accountId,omitempty"` // account, if the client has several
	UserID       string   `json:"userId,omitempty"`    // user for whom requests are made
	ReadOnly     bool     `json:"readOnly,omitempty"`
	Assistants   bool     `json:"assistants,omitempty"` // practice mcp works with it
	Keyring      bool     `json:"keyring,omitempty"`    // secret files are encrypted with a key from the keyring
}

// profiles is the content of the configuration file.
type profiles struct {
	Current  string              `json:"current,omitempty"`
	Profiles map[string]*profile `json:"profiles"`
}

// keyringService is the name of the program in the system keyring.
const keyringService = "practice"

// goodName matches names that cannot collide as file names on any system.
var goodName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

func checkName(name string) error {
	if !goodName.MatchString(name) || name == environment {
		return misuse{fmt.Errorf("%q is not a valid profile name: use lower-case letters, digits, dots and dashes", name)}
	}
	return nil
}

// folder returns the directory of the profiles and their secrets.
func (a *app) folder() (string, error) {
	if dir := a.variable("PRACTICE_CONFIG_DIR"); dir != "" {
		return dir, nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("cannot determine the profile directory (set PRACTICE_CONFIG_DIR to specify one): %w", err)
	}
	return filepath.Join(dir, "practice"), nil
}

func (a *app) fileOf(name string) (string, error) {
	dir, err := a.folder()
	return filepath.Join(dir, name), err
}

// profiles reads the configuration file. A missing file has no profiles. With
// changes, it refuses a file with members that would be lost.
func (a *app) profiles(changes bool) (*profiles, error) {
	all := &profiles{Profiles: map[string]*profile{}}
	path, err := a.fileOf("config.json")
	if err != nil {
		return nil, err
	}
	text, err := atomicfile.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	text = bytes.TrimPrefix(text, []byte(textfile.Mark)) // as some editors write it
	if err == nil {
		err = json.Unmarshal(text, all)
	}
	strict := json.NewDecoder(bytes.NewReader(text))
	strict.DisallowUnknownFields()
	if err == nil && changes && strict.Decode(new(profiles)) != nil {
		err = errors.New("the file was written by another version of practice, and only that version can change it")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for name, p := range all.Profiles {
		if p == nil || checkName(name) != nil || p.Grant != grantCode && p.Grant != grantClient {
			return nil, fmt.Errorf("%s: this version cannot use the profile %q: use the version that wrote it, or remove the profile from the file", path, name)
		}
		p.Name = name
	}
	return all, nil
}

// change updates the configuration file under a lock.
func (a *app) change(ctx context.Context, change func(all *profiles) error) error {
	path, err := a.fileOf("config.json")
	if err != nil {
		return err
	}
	unlock, err := auth.TokenFile{Path: path}.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	all, err := a.profiles(true)
	if err != nil {
		return err
	}
	if err := change(all); err != nil {
		return err
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(path, append(text, '\n'))
}

// named returns the profile of the given name.
func (all *profiles) named(name string) (*profile, error) {
	if p := all.Profiles[name]; p != nil {
		return p, nil
	}
	return nil, misuse{fmt.Errorf("profile %q does not exist%s", name, spelling.DidYouMean(name, slices.Sorted(maps.Keys(all.Profiles))))}
}

// Prefixes of the names of the files of a profile.
const (
	tokensFile = "tokens-"
	keysFile   = "keys-" // the API key and the client secret
)

// secretFile returns a file of a profile.
func (a *app) secretFile(p *profile, prefix string) (auth.TokenFile, error) {
	path, err := a.fileOf(prefix + p.Name + ".json")
	if p.Keyring {
		return keyring.TokenFile(path, keyringService, p.Name), err
	}
	return auth.TokenFile{Path: path}, err
}

// keys holds the long-lived secrets of a profile.
type keys struct{ api, client models.Secret }

// errOtherAddress reports secrets that were given with other addresses than
// those of the profile. They are not sent.
var errOtherAddress = fmt.Errorf("the secrets of the profile belong to another URL or client id: %w", auth.ErrNotSignedIn)

// owner names the addresses and the client with which secrets were given.
func (p *profile) owner() string {
	return "keys of " + strings.Join([]string{p.BaseURL, p.TokenURL, p.ClientID}, " ")
}

// loadKeys reads the secrets of a profile. They are stored in a token file,
// whose members have room for them, because such a file is private, locked,
// atomically replaced and, with a key, encrypted.
func (a *app) loadKeys(ctx context.Context, p *profile) (keys, error) {
	file, err := a.secretFile(p, keysFile)
	if err != nil {
		return keys{}, err
	}
	held, err := file.Load(ctx)
	if err == nil && held.Owner != p.owner() && !held.AccessToken.IsZero() {
		return keys{}, errOtherAddress
	}
	k := keys{held.AccessToken, held.RefreshToken}
	a.hide(k.api, k.client)
	return k, err
}

// locked passes a file of a profile to a function under its lock.
func (a *app) locked(ctx context.Context, p *profile, prefix string, do func(auth.TokenFile) error) error {
	file, err := a.secretFile(p, prefix)
	if err != nil {
		return err
	}
	unlock, err := file.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return do(file)
}

// save replaces a file of a profile.
func (a *app) save(ctx context.Context, p *profile, prefix string, tokens auth.Tokens) error {
	return a.locked(ctx, p, prefix, func(file auth.TokenFile) error { return file.Save(ctx, tokens) })
}

// forget deletes the tokens and secrets of a profile on this machine.
func (a *app) forget(ctx context.Context, p *profile) error {
	remove := func(file auth.TokenFile) error {
		if err := os.Remove(file.Path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return cmp.Or(a.locked(ctx, p, tokensFile, remove), a.locked(ctx, p, keysFile, remove))
}
