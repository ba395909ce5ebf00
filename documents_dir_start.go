package practice

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// dirStart knows whether the folder that is mirrored can be found from the
// root: one in a deleted folder is not deleted itself.
type dirStart struct {
	mu     sync.Mutex
	looked bool
}

// deleted fails when one of the folders that hold the one that is mirrored is
// deleted. It asks for each of them once.
func (s *dirService) deleted(ctx context.Context) error {
	s.start.mu.Lock()
	defer s.start.mu.Unlock()
	if s.folderID == "" || s.start.looked {
		return nil
	}
	seen := map[string]bool{}
	for id := s.folderID; id != "" && !seen[folderKey(id)] && len(seen) < MaxWalkDepth; {
		seen[folderKey(id)] = true
		page, err := s.documents.ListFolder(ctx, s.matterID, id, ListOptions{Limit: 1}, s.opts...)
		above := folderKey(id) != folderKey(s.folderID)
		switch {
		case above && (errors.Is(err, ErrNotFound) || errors.Is(err, ErrForbidden)):
			id = "" // nobody can say more
			continue
		case err != nil:
			return err
		case page.IsDeleted.Or(false) && above:
			return fmt.Errorf("the folder %s, which holds it: %w", id, ErrFolderDeleted)
		case page.IsDeleted.Or(false):
			return ErrFolderDeleted
		}
		id = page.ParentID
	}
	s.start.looked = true
	return nil
}
