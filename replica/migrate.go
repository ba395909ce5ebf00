package replica

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
)

// ErrNewer reports that a newer version of this package has written the copy.
// Nothing was changed.
var ErrNewer = errors.New("replica: a newer version of this package has written the copy")

//go:embed migrations
var migrations embed.FS

// migrate creates the tables of the engine, or those that a newer version of
// this package added. If several processes do so at the same time, all but one can
// fail at each step, and try again.
func (s *store) migrate(ctx context.Context, secret string) error {
	provider, err := s.migrations()
	if err != nil {
		return err
	}
	var now, newest int64
	for range len(provider.ListSources()) + 2 { // one more step creates the table of versions
		if now, newest, err = provider.GetVersions(ctx); err == nil && now <= newest {
			_, err = provider.Up(ctx)
		}
		if err == nil {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("replica: cannot create or migrate the tables: %w", err)
	}
	if now > newest {
		return ErrNewer
	}
	return s.transact(ctx, func(tx *transaction) error { return tx.run(`UPDATE %_source SET secret = ? WHERE secret = ''`, secret) })
}

func (s *store) migrations() (*goose.Provider, error) {
	versions, err := database.NewStore(s.versions, "copy_version")
	if err != nil {
		return nil, err
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	changes := goose.NewGoMigration(2, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, s.changes)
		return err
	}}, nil)
	return goose.NewProvider("", s.DB, files, goose.WithStore(versions), goose.WithGoMigrations(changes), goose.WithDisableGlobalRegistry(true))
}
