package replica

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/practicesdk/practice-go/internal/members"
)

// leavesOut reports whether a copy without personal data has no such member.
func leavesOut(object reflect.Type, member string) bool {
	return members.Personal(object.Name(), member) || members.FreeText(object.Name(), member)
}

// impersonal returns a decoded value of a type without the members that may
// hold personal data, and without those that are not described; nil if nothing
// remains.
func impersonal(t reflect.Type, value any) any {
	if strings.HasPrefix(t.Name(), "Opt[") {
		get, _ := t.MethodByName("Get")
		return impersonal(get.Type.Out(0), value)
	}
	switch value := value.(type) {
	case []any:
		if t.Kind() != reflect.Slice || t == reflect.TypeFor[json.RawMessage]() {
			return nil
		}
		for i := range value {
			value[i] = impersonal(t.Elem(), value[i])
		}
		return value
	case map[string]any:
		if t.Kind() != reflect.Struct {
			return nil // its members are not described
		}
		described := map[string]any{}
		for _, field := range reflect.VisibleFields(t) {
			member, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if of := value[member]; of != nil && !leavesOut(t, member) {
				described[member] = impersonal(field.Type, of)
			}
		}
		return described
	}
	if t.Kind() == reflect.Interface || t == reflect.TypeFor[json.RawMessage]() {
		return nil
	}
	return value
}

// anonymous reports whether the ids of a kind are no personal data.
func (k *kind) anonymous() bool {
	return !leavesOut(reflect.TypeOf(k.listing.NewAnswer()).Elem(), k.key)
}

// withoutPersonalData makes the copy one without personal data if the options
// say so, or if it is one already.
func (c *Copy) withoutPersonalData(ctx context.Context) error {
	var began, done bool
	err := c.store.Row(ctx, `SELECT count(*) > 0, coalesce(max(done), 0) FROM %_impersonal`).Scan(&began, &done)
	if c.store.impersonal = began || c.options.WithoutPersonalData; err != nil || !c.store.impersonal {
		return err
	}
	for _, k := range c.kinds {
		if k.impersonal = k.anonymous(); !k.impersonal {
			return errors.New("replica: a copy without personal data cannot contain " + k.name + ", because people write their ids as free text")
		}
	}
	if done {
		return nil
	}
	if !began {
		if err := c.store.transact(ctx, (*transaction).removePersonalData); err != nil {
			return err
		}
	}
	clean, err := c.store.vacuum(ctx)
	if err != nil || !clean { // a reader still needs the old pages
		return err
	}
	_, err = c.store.Exec(ctx, c.store.DB, `UPDATE %_impersonal SET done = 1`)
	return err
}

// removePersonalData removes the personal data of all kinds, among them those
// that this process does not copy. A process that stores them can write no more.
func (t *transaction) removePersonalData() error {
	all, err := chosen(Kinds())
	if err != nil {
		return err
	}
	err = firstError(t.run(`UPDATE %_source SET epoch = epoch + 1`), t.run(`INSERT INTO %_impersonal VALUES (0)`))
	for i := 0; err == nil && i < len(all); i++ {
		err = t.removePersonalDataOf(all[i])
	}
	return err
}

func (t *transaction) removePersonalDataOf(k *kind) error {
	var has bool
	if err := t.row(`SELECT EXISTS (SELECT 1 FROM %_records WHERE kind = ?)`, k.name).Scan(&has); err != nil || !has {
		return err
	}
	if k.impersonal = k.anonymous(); !k.impersonal {
		return t.forget(k)
	}
	if err := t.createTable(k); err != nil {
		return err
	}
	return t.each(k, func(r *record) error {
		return firstError(t.put(k, r), t.run(`UPDATE %_records SET hash = ? WHERE kind = ? AND id = ?`, r.hash, k.name, r.key))
	})
}

// forget removes a kind from the copy.
func (t *transaction) forget(k *kind) error {
	err := firstError(t.keepLast(), t.run(`DELETE FROM `+k.tableName()))
	for _, table := range []string{"%_kinds", "%_lists", "%_records", "%_hints", "changes"} {
		err = firstError(err, t.run(`DELETE FROM `+table+` WHERE kind = ?`, k.name))
	}
	return err
}
