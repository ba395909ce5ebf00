package replica

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
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
	var began bool
	err := c.store.Row(ctx, `SELECT count(*) > 0 FROM %_impersonal`).Scan(&began)
	if c.store.impersonal = began || c.options.WithoutPersonalData; err != nil || !c.store.impersonal {
		return err
	}
	for _, k := range c.kinds {
		if k.impersonal = k.anonymous(); !k.impersonal {
			return errors.New("replica: a copy without personal data cannot contain " + k.name + ", because people write their ids as free text")
		}
	}
	if !began {
		if err := c.store.transact(ctx, (*transaction).removePersonalData); err != nil {
			return err
		}
	}
	return c.store.clean(ctx)
}

// removePersonalData removes the personal data of all kinds, among them those
// that this process does not copy. A process that stores them can write no more.
func (t *transaction) removePersonalData() error {
	all, err := chosen(Kinds())
	if err != nil {
		return err
	}
	err = firstError(t.run(`UPDATE %_source SET epoch = epoch + 1, unclean = ?`, inFile), t.run(`INSERT INTO %_impersonal VALUES (0)`), t.forgetUnknownKinds())
	for i := 0; err == nil && i < len(all); i++ {
		err = t.removePersonalDataOf(all[i])
	}
	return err
}

// forgetUnknownKinds removes the kinds that only another version knows.
func (t *transaction) forgetUnknownKinds() error {
	rows, err := t.rows(`SELECT kind FROM %_kinds`)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	var unknown []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		if !slices.Contains(Kinds(), name) {
			unknown = append(unknown, name)
		}
	}
	for _, name := range unknown {
		err = firstError(err, t.forget(name))
	}
	return firstError(rows.Err(), err)
}

func (t *transaction) removePersonalDataOf(k *kind) error {
	var has bool
	if err := t.row(`SELECT EXISTS (SELECT 1 FROM %_records WHERE kind = ?)`, k.name).Scan(&has); err != nil || !has {
		return err
	}
	if k.impersonal = k.anonymous(); !k.impersonal {
		return t.forget(k.name)
	}
	if err := t.createTable(k); err != nil {
		return err
	}
	return t.each(k, func(r *record) error {
		return firstError(
			t.run(`DELETE FROM `+k.tableName()+` WHERE id = ?`, r.key), // with the columns that only another version knows
			t.put(k, r),
			t.run(`UPDATE %_records SET hash = ? WHERE kind = ? AND id = ?`, r.hash, k.name, r.key),
		)
	})
}

// forget removes a kind from the copy.
func (t *transaction) forget(kind string) error {
	err := firstError(t.keepLast(), t.run(`DELETE FROM `+tableOf(kind)))
	for _, table := range []string{"%_kinds", "%_lists", "%_records", "%_hints", "changes"} {
		err = firstError(err, t.run(`DELETE FROM `+table+` WHERE kind = ?`, kind))
	}
	return err
}
